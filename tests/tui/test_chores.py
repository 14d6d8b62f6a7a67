"""What keys ask of the terminal and the machine: the editor, the shell, the clipboard, another theme; on a real one."""

from __future__ import annotations

import base64
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

PROGRAM = Path(__file__).parent / "hand_made.py"
READY = "Keys"
EDITOR = """\
import sys
open("edited", "w").write(" ".join(sys.argv[1:]))
print("the editor has the terminal")
sys.stdin.readline()
"""


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`screen(state, NAME="value")` shows a state in a world folder of its own, with a home of its own."""
    opened: list[Any] = []
    (tmp_path / "editor.py").write_text(EDITOR)
    (tmp_path / "goals.lisp").write_text("(goal)\n")

    def start(state: str, **environment: str) -> Any:
        settings = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path)}
        for name in ("TMUX", "NO_COLOR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "VISUAL"):
            settings.pop(name, None)
        settings |= {"EDITOR": f"{sys.executable} {tmp_path / 'editor.py'}", **environment}
        child = pexpect.spawn(
            sys.executable, [str(PROGRAM), state], env=settings, cwd=str(tmp_path), dimensions=(24, 80), timeout=20
        )
        opened.append(child)
        child.expect(READY)
        return child

    yield start
    for child in opened:
        child.close(force=True)


def test_the_editor_gets_the_terminal_and_gives_it_back(screen: Callable[..., Any], tmp_path: Path) -> None:
    child = screen("held")
    child.send(b"\x1bOR")
    child.expect("Editor")
    child.send(b"o")
    child.expect_exact("\x1b[?1049l")
    child.expect("the editor has the terminal")
    assert (tmp_path / "edited").read_text() == str(tmp_path / "goals.lisp")
    child.send(b"\r")
    child.expect_exact("\x1b[?1049h")
    child.expect("Editor")
    child.send(b"\x11")
    child.expect("ended <Exit.DONE: 0>")


def test_an_end_from_outside_takes_the_editor_along(screen: Callable[..., Any]) -> None:
    child = screen("held")
    child.send(b"\x1bOR")
    child.expect("Editor")
    child.send(b"o")
    child.expect("the editor has the terminal")
    child.kill(signal.SIGTERM)
    child.expect("ended <Exit.INTERRUPTED: 130>")
    child.expect(pexpect.EOF)


def test_an_editor_that_is_not_there_is_told(screen: Callable[..., Any]) -> None:
    child = screen("held", EDITOR="/nowhere/editor")
    child.send(b"\x1bORo")
    child.expect("/nowhere/editor cannot be started")


@pytest.mark.parametrize("by_key", [True, False])
def test_the_shell_gets_the_terminal_and_fg_comes_back(screen: Callable[..., Any], by_key: bool) -> None:
    child = screen("ready")
    if by_key:
        child.send(b"\x1a")
    else:
        child.kill(signal.SIGTSTP)
    child.expect_exact("\x1b[?1049l")
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    child.kill(signal.SIGCONT)
    child.expect_exact("\x1b[?1049h")
    child.expect(READY)
    child.send(b"\x11")
    child.expect("ended <Exit.DONE: 0>")


def test_copying_says_how_and_repainting_paints_all(screen: Callable[..., Any], tmp_path: Path) -> None:
    child = screen("asks")
    child.send(b"y")
    child.expect(r"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07")
    copied = base64.b64decode(child.match[1]).decode()
    child.expect("Copied")
    assert (tmp_path / ".local/state/jiti-tui/copied.txt").read_text() == copied
    child.send(b"\x0c")
    child.expect("Asks:")
    child.expect("Run")


def test_another_theme_is_put_on_from_the_palette(screen: Callable[..., Any]) -> None:
    child = screen("held")
    child.send(b"\x10")
    child.expect("Palette")
    child.send(b"theme light\r")
    child.expect_exact("48;5;231")


def test_what_was_typed_comes_back_in_the_next_session(screen: Callable[..., Any]) -> None:
    child = screen("held")
    child.send(b":")
    child.expect("throwaway")
    child.send(b"(twice 21)\r")
    child.expect("Evaluating")
    child.send(b"\x11")
    child.expect("ended")
    again = screen("held")
    again.send(b":")
    again.expect("throwaway")
    again.send(b"\x1b[A")
    again.expect_exact("(twice 21)")


def test_complaints_about_the_config_stand_until_a_key(screen: Callable[..., Any], tmp_path: Path) -> None:
    themes = tmp_path / ".config/jiti-tui/themes"
    themes.mkdir(parents=True)
    (themes / "odd.toml").write_text("nonsense")
    child = screen("held")
    child.expect("odd.toml does not read")
