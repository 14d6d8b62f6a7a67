"""However the screen ends, in whatever state: no process of it is left, and the terminal is as it was."""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]

SECONDS = 60
READ_SECONDS = 0.35
"""A stage that has stood this long has been read; keys that decide sooner are dropped by design."""

STATES = {
    "starting": (b"Starting", None),
    "new": (b"New", None),
    "paused": (b"Paused", "(receipt 100.00)"),
    "looping": (b"Trying", "(loop)"),
    "ready": (b"Ready", "(defun receipt (price) price)"),
}
"""What the headline says, and the form that leads there if one has to be evaluated."""

ENDINGS: dict[str, tuple[signal.Signals | None, int]] = {
    "quit": (None, 0),
    "terminated": (signal.SIGTERM, 130),
    "hung up": (signal.SIGHUP, 130),
    "interrupted": (signal.SIGINT, 130),
}
"""The signal, ctrl+q where there is none, and the exit code."""

MODE = re.compile(rb"\x1b\[\?(\d+)([hl])")
"""DECSET and DECRST, in xterm's control sequences."""

CURSOR, WRAP = 25, 7
MOUSE = {9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016}


class Bare:
    """jiti-tui on a bare pty: every byte that it writes."""

    def __init__(self, world: Path, environment: dict[str, str], state: str) -> None:
        shown, forms = STATES[state]
        if forms is not None:
            action = f'{{"kind": "evaluate", "generation": null, "forms": "{forms}"}}'
            (world / "transcript.jsonl").write_text(f'{{"action": {action}}}\n')
        self._log = io.BytesIO()
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "jiti_tui", str(world)],
            env={**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            dimensions=(24, 80),
            timeout=SECONDS,
        )
        self.child.logfile_read = self._log
        if forms is not None:
            self.child.expect_exact(b"New")
            self.child.expect([pexpect.TIMEOUT], timeout=READ_SECONDS)
            self.child.send("p")
        self.child.expect_exact(shown)

    @property
    def output(self) -> bytes:
        return self._log.getvalue()

    def exit_code(self) -> int | None:
        """Read to the end; the exit code, None when a signal ended it."""
        self.child.expect_exact(pexpect.EOF)
        self.child.wait()
        code: int | None = self.child.exitstatus
        return code

    def modes_left_on(self) -> set[int]:
        """The private modes of the terminal that were on when the last byte had been written."""
        on = {CURSOR, WRAP}
        for number, final in MODE.findall(self.output):
            (on.add if final == b"h" else on.discard)(int(number))
        return on

    def modes_met(self) -> set[int]:
        """The private modes that were turned on or off."""
        return {int(number) for number, _ in MODE.findall(self.output)}


Open = Callable[[str], Bare]


@pytest.fixture
def bare(sales_tax: Path, environment: dict[str, str]) -> Iterator[Open]:
    """`bare(state)` starts jiti-tui and leads it into a state."""
    opened: list[Bare] = []

    def start(state: str) -> Bare:
        opened.append(Bare(sales_tax, environment, state))
        return opened[-1]

    yield start
    for each in opened:
        each.child.close(force=True)


def all_pairs_but_a_few_are_slow() -> list[object]:
    quick = set(zip(ENDINGS, ("paused", "looping", "ready", "starting"), strict=True)) | {("quit", "looping")}
    return [
        pytest.param(ending, state, marks=() if (ending, state) in quick else pytest.mark.slow)
        for ending in ENDINGS
        for state in STATES
    ]


@pytest.mark.parametrize(("ending", "state"), all_pairs_but_a_few_are_slow())
def test_ended(ending: str, state: str, bare: Open, family: Family, wait_gone: WaitGone) -> None:
    session = bare(state)
    number, code = ENDINGS[ending]
    pids = family(session.child.pid)
    if number is None:
        session.child.sendcontrol("q")
    else:
        session.child.kill(number)
    while session.child.expect_exact([pexpect.EOF, pexpect.TIMEOUT], timeout=0.05):
        pids |= family(session.child.pid)
    assert session.exit_code() == code
    wait_gone(pids)
    assert session.modes_left_on() == {CURSOR, WRAP}
    assert session.modes_met() & MOUSE == {1000, 1006}  # buttons and the wheel alone: a moving mouse costs nothing
    assert session.output.count(b"\x1b[>") == session.output.count(b"\x1b[<u")  # the keyboard protocol, on and off
    assert b"Traceback" not in session.output
    local = termios.tcgetattr(session.child.child_fd)[3]
    assert local & termios.ECHO
    assert local & termios.ICANON


@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=() if state == "looping" else pytest.mark.slow) for state in STATES]
)
def test_terminal_gone(state: str, bare: Open, family: Family, wait_gone: WaitGone) -> None:
    """The pane is closed, or the connection drops: there is no terminal left to restore, only processes to end."""
    session = bare(state)
    pids = family(session.child.pid)
    session.child.ptyproc.fileobj.close()
    wait_gone({session.child.pid, *pids})


def test_terminal_gone_without_a_signal(
    sales_tax: Path, environment: dict[str, str], family: Family, wait_gone: WaitGone
) -> None:
    """Linux sends SIGHUP to the session of a terminal alone: a program of another one only finds its input ended."""
    ours, its = os.openpty()
    termios.tcsetwinsize(its, (24, 80))
    session = subprocess.Popen(
        [sys.executable, "-m", "jiti_tui", str(sales_tax)],
        stdin=its,
        stdout=its,
        stderr=subprocess.PIPE,
        env={**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )
    os.close(its)
    painted = b""
    while b"New" not in painted:
        assert select.select([ours], [], [], SECONDS)[0]
        painted += os.read(ours, 65536)
    pids = family(session.pid)
    os.close(ours)
    _, said = session.communicate(timeout=SECONDS)
    assert (session.returncode, said) == (130, b"")
    wait_gone(pids)


@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=() if state in ("looping", "ready") else pytest.mark.slow) for state in STATES]
)
def test_killed(state: str, bare: Open, family: Family, wait_gone: WaitGone) -> None:
    session = bare(state)
    pids = family(session.child.pid)
    session.child.kill(signal.SIGKILL)
    assert session.exit_code() is None
    wait_gone(pids)


@pytest.mark.parametrize(
    "state",
    [pytest.param(state, marks=() if state == "looping" else pytest.mark.slow) for state in ("looping", "ready")],
)
def test_workers_killed(state: str, bare: Open, family: Family, wait_gone: WaitGone) -> None:
    """All of Lisp dies at once: the screen says so, is still there to be quit, and nothing stays behind."""
    session = bare(state)
    pids = family(session.child.pid)
    said = len(session.output)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait_gone(pids)
    session.child.expect(b"lost|died|ended")
    assert len(session.output) > said
    session.child.sendcontrol("q")
    while session.child.expect_exact([pexpect.EOF, pexpect.TIMEOUT], timeout=0.05):
        pids |= family(session.child.pid)
    assert session.exit_code() == 0
    wait_gone(pids)
    assert session.modes_left_on() == {CURSOR, WRAP}
    assert b"Traceback" not in session.output
