"""The screen on a real terminal: what it writes there, and how it leaves it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

PROGRAM = Path(__file__).parent / "hand_made.py"
READY = "Keys"
"""The last word of the footer: the picture is complete."""


class Terminal:
    """A program on a terminal of 80 by 24."""

    def __init__(self, state: str, *options: str, **environment: str) -> None:
        settings = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **environment}
        settings.pop("COLORTERM", None)
        settings.pop("NO_COLOR", None)
        self.child: Any = pexpect.spawn(
            sys.executable,
            [str(PROGRAM), state, *options],
            env={**settings, **environment},
            dimensions=(24, 80),
            timeout=20,
        )

    def quiet(self, seconds: float = 0.25) -> bytes:
        """Return what is written until nothing has come for `seconds`."""
        written = b""
        while True:
            try:
                written += self.child.read_nonblocking(65536, timeout=seconds)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return written

    def press(self, keys: bytes) -> bytes:
        """Press keys; return what is written because of them."""
        self.child.send(keys)
        return self.quiet()


@pytest.fixture
def terminal() -> Iterator[Any]:
    opened: list[Terminal] = []

    def open_terminal(state: str, **environment: str) -> Terminal:
        made = Terminal(state, **environment)
        opened.append(made)
        made.child.expect(READY)
        made.quiet()
        return made

    yield open_terminal
    for made in opened:
        if not made.child.terminated:
            made.child.close(force=True)


DOWN, F2, F3, F4, F5 = b"\x1b[B", b"\x1bOQ", b"\x1bOR", b"\x1bOS", b"\x1b[15~"


def test_keys_write_little_and_idling_nothing(terminal: Any) -> None:
    screen = terminal("paused")
    assert screen.quiet(1.0) == b""
    for _ in range(3):
        assert 0 < len(screen.press(DOWN)) < 600
    for key in (F3, F4, F5, F2):
        assert 0 < len(screen.press(key)) < 3072
    screen.press(b":")
    assert 0 < len(screen.press(b"x")) < 300
    screen.press(b"\x1b")
    assert screen.quiet(1.0) == b""


@pytest.mark.parametrize("state", ["paused", "choose", "ready"])
def test_a_switch_to_another_pane_is_under_three_kilobytes(state: str, terminal: Any) -> None:
    screen = terminal(state)
    for key in (F3, F4, F5, F2):
        assert 0 < len(screen.press(key)) < 3072


def test_looking_around_in_a_pause_writes_little(terminal: Any) -> None:
    screen = terminal("paused")
    for key in (b"t", b"t", b"v", b"v", b"[", b"]"):
        assert 0 < len(screen.press(key)) < 3072
    for _ in range(7):
        assert 0 < len(screen.press(DOWN)) < 600


MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1000l\x1b[?1006l"


def test_the_mouse_writes_what_the_keys_write(terminal: Any) -> None:
    screen = terminal("paused")
    pressed, released, turned = b"\x1b[<0;%d;%dM", b"\x1b[<0;%d;%dm", b"\x1b[<65;40;12M"
    assert 0 < len(screen.press(pressed % (10, 11) + released % (10, 11))) < 600
    assert 0 < len(screen.press(pressed % (20, 3) + released % (20, 3))) < 3072
    assert 0 < len(screen.press(turned)) < 3072


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP])
def test_the_mouse_is_given_back(number: signal.Signals) -> None:
    screen = Terminal("ready")
    screen.child.expect(READY)
    assert MOUSE_ON in screen.child.before
    screen.child.kill(number)
    screen.child.expect_exact(MOUSE_OFF)
    if number is signal.SIGTSTP:
        os.waitpid(screen.child.pid, os.WUNTRACED)
        screen.child.kill(signal.SIGCONT)
        screen.child.expect_exact(MOUSE_ON)
    screen.child.close(force=True)


def test_without_a_mouse_its_modes_are_not_touched() -> None:
    screen = Terminal("ready", "no-mouse")
    screen.child.expect(READY)
    screen.child.send(b"\x11")
    told = screen.child.before + screen.quiet()
    assert not any(mode in told for mode in (b"?1000", b"?1002", b"?1003", b"?1006", b"?1015", b"?1016"))
    screen.child.close(force=True)


def test_working_writes_one_headline_a_second(terminal: Any) -> None:
    screen = terminal("trying")
    screen.child.expect("WORKING 1")
    screen.child.expect("WORKING 2")
    assert len(screen.child.before) < 300


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_restore_the_terminal(terminal: Any, number: signal.Signals) -> None:
    screen = terminal("ready")
    screen.child.kill(number)
    screen.child.expect("ended <Exit.INTERRUPTED: 130> ")
    assert b"\x1b[?1049l" in screen.child.before
    assert b"\x1b[?25h" in screen.child.before
    screen.child.expect("Quit")
    screen.child.expect(pexpect.EOF)
    screen.child.wait()
    assert screen.child.exitstatus == 0


def test_ctrl_q_restores_the_terminal(terminal: Any) -> None:
    screen = terminal("ready")
    screen.child.send(b"\x11")
    screen.child.expect("ended <Exit.DONE: 0> ")
    assert b"\x1b[?1049l" in screen.child.before
    assert screen.child.before.count(b"\x1b[23;0t") == 1
    screen.child.expect(pexpect.EOF)


def test_a_terminal_that_goes_away_ends_the_program(terminal: Any) -> None:
    screen = terminal("trying")
    os.close(screen.child.child_fd)
    _, status = os.waitpid(screen.child.pid, 0)
    screen.child.closed = screen.child.terminated = True
    assert os.WIFEXITED(status)


def test_no_color_and_sixteen_colours_are_obeyed(terminal: Any) -> None:
    plain = terminal("paused", NO_COLOR="1")
    assert b"38;5" not in plain.press(DOWN)
    console = terminal("paused", TERM="xterm")
    assert b"38;" not in console.press(DOWN)


def test_the_console_gets_no_title(terminal: Any) -> None:
    screen = Terminal("paused", TERM="linux")
    screen.child.expect(READY)
    assert b"\x1b]0;" not in screen.child.before
    screen.child.close(force=True)
