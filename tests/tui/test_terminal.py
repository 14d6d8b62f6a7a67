"""The screen on a real terminal: what it writes there, and how it leaves it."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from fakes.watched import Watched

Open = Callable[..., Watched]

DOWN, F2, F3, F4, F5 = b"\x1b[B", b"\x1bOQ", b"\x1bOR", b"\x1bOS", b"\x1b[15~"


def test_keys_write_little_and_idling_nothing(terminal: Open) -> None:
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


MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1000l\x1b[?1006l"


def test_the_mouse_writes_what_the_keys_write(terminal: Open) -> None:
    screen = terminal("paused")
    pressed, released, turned = b"\x1b[<0;%d;%dM", b"\x1b[<0;%d;%dm", b"\x1b[<65;40;12M"
    assert 0 < len(screen.press(pressed % (10, 11) + released % (10, 11))) < 600
    assert 0 < len(screen.press(pressed % (20, 3) + released % (20, 3))) < 3072
    assert 0 < len(screen.press(turned)) < 3072


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP])
def test_the_mouse_is_given_back(number: signal.Signals, terminal: Open) -> None:
    screen = terminal("ready")
    screen.sees(re.escape(MOUSE_ON))
    screen.child.kill(number)
    screen.sees(re.escape(MOUSE_OFF))
    if number is signal.SIGTSTP:
        os.waitpid(screen.child.pid, os.WUNTRACED)
        screen.child.kill(signal.SIGCONT)
        screen.sees(re.escape(MOUSE_ON))


def test_without_a_mouse_its_modes_are_not_touched(terminal: Open) -> None:
    screen = terminal("ready", "no-mouse")
    screen.child.send(b"\x11")
    screen.sees(b"ended")
    modes = (b"?1000", b"?1002", b"?1003", b"?1006", b"?1015", b"?1016")
    assert not any(mode in screen.output for mode in modes)


def test_a_character_may_come_in_two_parts(terminal: Open) -> None:
    screen = terminal("ready")
    screen.press(b":")
    screen.press("é".encode()[:1])
    screen.child.send("é".encode()[1:])
    screen.wait("throwaway: é")


def test_working_writes_one_headline_a_second(terminal: Open) -> None:
    screen = terminal("trying")
    screen.wait("WORKING 1 s")
    before = len(screen.output)
    screen.wait("WORKING 2 s")
    assert 0 < len(screen.output) - before < 100


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_restore_the_terminal(terminal: Open, number: signal.Signals) -> None:
    screen = terminal("ready")
    screen.child.kill(number)
    screen.sees(b"ended <Exit.INTERRUPTED: 130> .*Quit")
    assert b"\x1b[?1049l" in screen.output
    assert b"\x1b[?25h" in screen.output
    screen.child.expect(pexpect.EOF)
    screen.child.wait()
    assert screen.child.exitstatus == 0


def test_ctrl_q_restores_the_terminal(terminal: Open) -> None:
    screen = terminal("ready")
    screen.child.send(b"\x11")
    screen.sees(b"ended <Exit.DONE: 0> ")
    assert b"\x1b[?1049l" in screen.output
    assert screen.output.count(b"\x1b[23;0t") == 1
    screen.child.expect(pexpect.EOF)


@pytest.mark.parametrize(("defect", "error"), [("breaks", b"AttributeError"), ("unreadable", b"ParseError")])
def test_a_defect_restores_the_terminal_and_is_told_in_a_sentence(
    defect: str, error: bytes, terminal: Open, tmp_path: Path
) -> None:
    screen = terminal("thinking", defect, XDG_STATE_HOME=str(tmp_path))
    screen.child.send(b"\x1b")
    screen.sees(b"A defect of the screen has ended it: " + error + b": [^\x1b]* What was accepted is on disk")
    screen.sees(b"ended <Exit.WORKER: 3> ")
    assert b"\x1b[?1049l" in screen.output
    assert b"\x1b[?25h" in screen.output
    assert b"Traceback" not in screen.output
    assert "Traceback" in (tmp_path / "jiti-tui" / "defect.txt").read_text()


def test_a_terminal_that_goes_away_ends_the_program(terminal: Open) -> None:
    screen = terminal("trying")
    os.close(screen.child.child_fd)
    _, status = os.waitpid(screen.child.pid, 0)
    screen.child.closed = screen.child.terminated = True
    assert os.WIFEXITED(status)


def test_no_color_and_sixteen_colours_are_obeyed(terminal: Open) -> None:
    plain = terminal("paused", NO_COLOR="1")
    assert b"38;5" not in plain.press(DOWN)
    console = terminal("paused", TERM="xterm")
    assert b"38;" not in console.press(DOWN)


def test_the_console_gets_no_title(terminal: Open) -> None:
    assert b"\x1b]0;" not in terminal("paused", TERM="linux").output
