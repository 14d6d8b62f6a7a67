"""A session driven by hand: the real engine, kernel and store, with the test as the operator."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Command, Quit
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.world.folder import read_world

SECONDS = 30


class Operator:
    """Sends commands and waits for pictures."""

    def __init__(self, world: Path, options: Options) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()
        self.engine = Engine(read_world(world), options, on_snapshot=self._see, on_event=self.events.append)
        self.engine.start()

    @property
    def snapshot(self) -> Snapshot:
        return self.engine.snapshot

    def send(self, command: Command) -> None:
        self.engine.send(command)

    def wait(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """The first picture from now on of which `condition` is true."""
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self.snapshot), SECONDS):
                raise AssertionError(f"not within {SECONDS} s; the last picture is {self.snapshot}")
            return self.snapshot

    def wait_for(self, *phases: Phase) -> Snapshot:
        return self.wait(lambda snapshot: snapshot.phase in phases)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true that no picture tells, about processes say."""
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, f"not within {SECONDS} s"
            time.sleep(0.01)

    def names(self) -> list[str]:
        return [event.name for event in self.events]

    def quit(self) -> None:
        self.send(Quit())
        assert self.engine.join(SECONDS)

    def _see(self, _snapshot: Snapshot) -> None:
        with self._changed:
            self._changed.notify_all()


Open = Callable[..., Operator]


@pytest.fixture
def open_session() -> Iterator[Open]:
    """`open_session(world, mode=...)` opens a session; all of them have ended when the test has."""
    operators: list[Operator] = []

    def start(world: Path, **options: Any) -> Operator:
        operators.append(Operator(world, Options(**options)))
        return operators[-1]

    yield start
    for operator in operators:
        operator.quit()


@pytest.fixture
def plain_world(tmp_path: Path) -> Path:
    """A world with one package, no checks and no requests."""
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "world.toml").write_text('packages = ["PLAIN"]\n')
    (folder / "goals.lisp").write_text("")
    (folder / "invariants.lisp").write_text("")
    return folder


@pytest.fixture
def record() -> Callable[..., None]:
    """`record(world, {...}, ...)` writes actions as the world's transcript."""

    def write(world: Path, *actions: dict[str, Any]) -> None:
        lines = [json.dumps({"action": {"generation": None, **action}}) for action in actions]
        (world / "transcript.jsonl").write_text("".join(f"{line}\n" for line in lines))

    return write
