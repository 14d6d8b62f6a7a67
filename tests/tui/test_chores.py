"""What keys ask of the terminal and the machine: the editor, the shell, the clipboard, another theme; on a real one."""

from __future__ import annotations

import base64
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from fakes.watched import Watched

PROGRAM = Path(__file__).parent / "hand_made.py"
READY = "Keys"
EDITOR = """\
import sys
open("edited", "w").write(" ".join(sys.argv[1:]))
print("the editor has the terminal")
sys.stdin.readline()
"""


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """`screen(state, NAME="value")` shows a state in a world folder of its own, with a home of its own."""
    opened: list[Watched] = []
    (tmp_path / "editor.py").write_text(EDITOR)
    (tmp_path / "goals.lisp").write_text("(goal)\n")

    def start(state: str, **environment: str) -> Watched:
        settings = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path)}
        for name in ("TMUX", "NO_COLOR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "VISUAL"):
            settings.pop(name, None)
        settings |= {"EDITOR": f"{sys.executable} {tmp_path / 'editor.py'}", **environment}
        child = pexpect.spawn(
            sys.executable, [str(PROGRAM), state], env=settings, cwd=str(tmp_path), dimensions=(24, 80), timeout=20
        )
        opened.append(Watched(child))
        opened[-1].wait(READY)
        return opened[-1]

    yield start
    for made in opened:
        made.child.close(force=True)


def test_the_editor_gets_the_terminal_and_gives_it_back(screen: Callable[..., Watched], tmp_path: Path) -> None:
    terminal = screen("held")
    terminal.child.send(b"\x1bOR")
    terminal.wait("Editor")
    terminal.child.send(b"o")
    terminal.sees(rb"\x1b\[\?1049l")
    terminal.sees(b"the editor has the terminal")
    assert (tmp_path / "edited").read_text() == str(tmp_path / "goals.lisp")
    terminal.child.send(b"\r")
    terminal.sees(rb"\x1b\[\?1049h")
    terminal.sees(b"Editor")
    terminal.child.send(b"\x11")
    terminal.sees(b"ended <Exit.DONE: 0>")


def test_an_end_from_outside_takes_the_editor_along(screen: Callable[..., Watched]) -> None:
    terminal = screen("held")
    terminal.child.send(b"\x1bOR")
    terminal.wait("Editor")
    terminal.child.send(b"o")
    terminal.sees(b"the editor has the terminal")
    terminal.child.kill(signal.SIGTERM)
    terminal.sees(b"ended <Exit.INTERRUPTED: 130>")
    terminal.child.expect(pexpect.EOF)


def test_an_editor_that_is_not_there_is_told(screen: Callable[..., Watched]) -> None:
    terminal = screen("held", EDITOR="/nowhere/editor")
    terminal.child.send(b"\x1bORo")
    terminal.wait("/nowhere/editor cannot be started")


@pytest.mark.parametrize("by_key", [True, False])
def test_the_shell_gets_the_terminal_and_fg_comes_back(screen: Callable[..., Watched], by_key: bool) -> None:
    terminal = screen("ready")
    if by_key:
        terminal.child.send(b"\x1a")
    else:
        terminal.child.kill(signal.SIGTSTP)
    terminal.sees(rb"\x1b\[\?1049l")
    _, status = os.waitpid(terminal.child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    terminal.child.kill(signal.SIGCONT)
    terminal.sees(rb"\x1b\[\?1049h")
    terminal.sees(READY.encode())
    terminal.child.send(b"\x11")
    terminal.sees(b"ended <Exit.DONE: 0>")


def test_copying_says_how_and_repainting_paints_all(screen: Callable[..., Watched], tmp_path: Path) -> None:
    terminal = screen("asks")
    terminal.child.send(b"y")
    found = terminal.sees(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07")
    copied = base64.b64decode(found[1]).decode()
    terminal.wait("Copied")
    assert (tmp_path / ".local/state/jiti-tui/copied.txt").read_text() == copied
    terminal.child.send(b"\x0c")
    terminal.sees(b"Asks:")
    terminal.sees(b"Run")


def test_another_theme_is_put_on_from_the_palette(screen: Callable[..., Watched]) -> None:
    terminal = screen("held")
    terminal.child.send(b"\x10")
    terminal.wait("Palette")
    terminal.child.send(b"theme light\r")
    terminal.sees(b"48;5;231")


def test_what_was_typed_comes_back_in_the_next_session(screen: Callable[..., Watched]) -> None:
    terminal = screen("held")
    terminal.child.send(b":")
    terminal.wait("throwaway")
    terminal.child.send(b"(twice 21)\r")
    terminal.wait("Evaluating")
    terminal.child.send(b"\x11")
    terminal.sees(b"ended")
    again = screen("held")
    again.child.send(b":")
    again.wait("throwaway")
    again.child.send(b"\x1b[A")
    again.wait("(twice 21)")


def test_complaints_about_the_config_stand_until_a_key(screen: Callable[..., Watched], tmp_path: Path) -> None:
    themes = tmp_path / ".config/jiti-tui/themes"
    themes.mkdir(parents=True)
    (themes / "odd.toml").write_text("nonsense")
    terminal = screen("held")
    terminal.wait("odd.toml does not read")
