"""Hand-made sessions: the screen on the snapshots of `fakes.states`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pexpect
import pytest
from fakes.session import NOW
from fakes.states import STATES
from fakes.watched import Watched

from jiti_tui.engine.interface.commands import Command
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.clock import Clock
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.view import View
from jiti_tui.tui.text.glyphs import UNICODE
from jiti_tui.tui.theme import built_in


class RecordingEngine:
    """An engine that does nothing but remember what it was sent."""

    def __init__(self, snapshot: Snapshot, mailbox: Mailbox) -> None:
        self.snapshot = snapshot
        self.sent: list[Command] = []
        self._mailbox = mailbox

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def publish(self, snapshot: Snapshot) -> None:
        """Let `snapshot` come, as the engine's thread would."""
        self.snapshot = snapshot
        self._mailbox.put(snapshot)


class StillClock(Clock):
    """Stands at `at` seconds until it is set."""

    def __init__(self) -> None:
        self.at = 1000.0

    def monotonic(self) -> float:
        return self.at

    def wall(self) -> float:
        return NOW


class Stand:
    """The app on a hand-made session, ready to be run by a pilot."""

    def __init__(self, snapshot: Snapshot, theme: str = "dark", **options: Any) -> None:
        mailbox = Mailbox()
        self.clock = options.pop("clock", None) or StillClock()
        self.engine = RecordingEngine(replace(snapshot, since=self.clock.monotonic() - 12), mailbox)
        self.app = JitiApp(self.engine, mailbox, theme=built_in(theme), clock=self.clock, **options)


@pytest.fixture
def states() -> dict[str, Snapshot]:
    """A snapshot of every state of the screen."""
    return STATES


@pytest.fixture
def stand() -> Callable[..., Stand]:
    """Makes an app that shows a state's snapshot, or another one."""

    def make(state: str | Snapshot, **options: Any) -> Stand:
        return Stand(STATES[state] if isinstance(state, str) else state, **options)

    return make


@pytest.fixture
def scene() -> Callable[..., Scene]:
    """Makes a scene of a state's name or of a snapshot."""

    def make(state: str | Snapshot, width: int = 80, height: int = 24, **fields: Any) -> Scene:
        snapshot = STATES[state] if isinstance(state, str) else state
        fields = {"stage": snapshot, "view": View(), "glyphs": UNICODE, "now": NOW, "elapsed": 12.0, **fields}
        return Scene(snapshot=snapshot, width=width, height=height, **fields)

    return make


@pytest.fixture
def shown(scene: Callable[..., Scene]) -> Callable[..., Shown]:
    """Makes a scene as it is once it was painted and read."""

    def make(state: str | Snapshot, view: View | None = None, **fields: Any) -> Shown:
        made = scene(state, view=view or View(), **fields)
        return Shown(made, draw(made).pages)

    return make


@pytest.fixture
def rows(scene: Callable[..., Scene]) -> Callable[..., list[str]]:
    """The whole screen as rows of text."""

    def make(state: str | Snapshot, width: int = 80, height: int = 24, **fields: Any) -> list[str]:
        drawn = draw(scene(state, width, height, **fields))
        beside = drawn.rail or [()] * len(drawn.stage)
        body = [(*left, *right) for left, right in zip(beside, drawn.stage, strict=True)]
        return ["".join(run.text for run in line) for line in (*drawn.head, *body, *drawn.foot)]

    return make


@pytest.fixture
def terminal() -> Iterator[Callable[..., Watched]]:
    """`terminal(state, *options, NAME="value")` shows a state on a real terminal of 80 by 24, painted."""
    opened: list[Watched] = []
    program = str(Path(__file__).parent / "hand_made.py")

    def start(state: str, *options: str, **environment: str) -> Watched:
        settings = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        for name in ("COLORTERM", "NO_COLOR"):
            settings.pop(name, None)
        child = pexpect.spawn(
            sys.executable, [program, state, *options], env={**settings, **environment}, dimensions=(24, 80), timeout=20
        )
        opened.append(Watched(child))
        opened[-1].wait("Keys")
        opened[-1].quiet()
        return opened[-1]

    yield start
    for made in opened:
        if not made.child.terminated:
            made.child.close(force=True)
