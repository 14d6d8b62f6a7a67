"""A real terminal, worked by keys alone: a tmux pane, on a tmux server of its own."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SECONDS = 60
"""How long a test waits for what must come."""

READ_SECONDS = 0.32
"""A screen that has stood this long has been read; keys that decide sooner are dropped by design."""

Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]


class Terminal:
    """A pane of `width` x `height` cells in which jiti-tui runs as a user of `environment` starts it."""

    def __init__(self, environment: dict[str, str], width: int, height: int, term: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tmux-")
        self._environment = {**environment, "TMUX_TMPDIR": self._folder.name}
        named = ("set-option", "-g", "default-terminal", term)
        self._tmux("start-server", ";", *named, ";", "new-session", "-d", "-x", str(width), "-y", str(height), "cat")

    def open(self, *arguments: str | Path, redirected: str = "") -> None:
        """Run `jiti-tui ARGUMENTS...` from a shell, with its streams `redirected`, in place of what ran before."""
        script = f'"$@" {redirected}; echo "exit code $?"; exec cat'
        command = ("sh", "-c", script, "sh", sys.executable, "-m", "jiti_tui")
        self._tmux("respawn-pane", "-k", *command, *map(str, arguments))

    @property
    def pid(self) -> int:
        """The shell in the pane."""
        return int(self.ask("pane_pid"))

    def ask(self, variable: str) -> str:
        """Return what tmux says of the pane: `pane_pid`, `alternate_on`, `cursor_flag`, ..."""
        return self._tmux("display-message", "-p", f"#{{{variable}}}").rstrip("\n")

    def screen(self) -> str:
        """Return what the pane shows."""
        return self._tmux("capture-pane", "-p")

    def colours(self) -> str:
        """Return what the pane shows, with the escape sequences of its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def wait(self, *texts: str) -> str:
        """Return the screen once it shows all of `texts`."""
        return self._until(lambda screen: all(text in screen for text in texts), f"did not show {texts}")

    def wait_without(self, *texts: str) -> str:
        """Return the screen once it shows none of `texts`."""
        return self._until(lambda screen: not any(text in screen for text in texts), f"still shows {texts}")

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names, as somebody does who has read what is there."""
        seen, since = self.screen(), time.monotonic()

        def stands(screen: str) -> bool:
            nonlocal seen, since
            if screen != seen:
                seen, since = screen, time.monotonic()
            return time.monotonic() - since >= READ_SECONDS

        self._until(stands, "never stood still")
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a line and send it."""
        self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def paste(self, text: str) -> None:
        """Paste `text`, marked as pasted."""
        self._tmux("set-buffer", "--", text)
        self._tmux("paste-buffer", "-p")

    def close(self) -> None:
        """Close the pane, as a lost connection does."""
        self._tmux("kill-server")
        self._folder.cleanup()

    def _until(self, condition: Callable[[str], bool], failure: str) -> str:
        end = time.monotonic() + SECONDS
        while not condition(screen := self.screen()):
            assert time.monotonic() < end, f"the terminal {failure}:\n{screen}"
            select.select([], [], [], 0.03)
        return screen

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-u", "-L", "jiti", "-f", "/dev/null", *arguments]
        return subprocess.run(command, env=self._environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def terminal(environment: dict[str, str], family: Family, wait_gone: WaitGone) -> Iterator[Callable[..., Terminal]]:
    """`terminal(width, height, term="tmux-256color", NAME="value")` opens one; no process outlives it."""
    opened: list[Terminal] = []
    plain = {name: value for name, value in environment.items() if name not in ("COLORTERM", "NO_COLOR", "TMUX")}

    def open_terminal(width: int = 80, height: int = 24, term: str = "tmux-256color", **variables: str) -> Terminal:
        opened.append(Terminal({**plain, "LC_ALL": "C.UTF-8", **variables}, width, height, term))
        return opened[-1]

    yield open_terminal
    for each in opened:
        pids = {each.pid, *family(each.pid)}
        each.close()
        wait_gone(pids)


@pytest.fixture
def kill_all(family: Family, wait_gone: WaitGone) -> Callable[[int], None]:
    """`kill_all(pid)` kills all that descend from a process, by SIGKILL. None of them hears of another's death."""

    def kill(pid: int) -> None:
        pids = family(pid)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for each in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, number)
        wait_gone(pids)

    return kill


@pytest.fixture
def record(sales_tax: Path) -> Callable[..., None]:
    """`record({...}, ...)` writes actions as the transcript of the demo world."""

    def write(*actions: dict[str, object]) -> None:
        lines = [json.dumps({"action": {"generation": None, **action}}) for action in actions]
        (sales_tax / "transcript.jsonl").write_text("".join(f"{line}\n" for line in lines))

    return write
