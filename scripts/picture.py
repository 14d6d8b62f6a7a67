#!/usr/bin/env python3
"""Takes the pictures of the README anew: plays the demo world to the review of request 3, in a real terminal.

Writes docs/screen.svg (120 by 40) and the text picture in README.md (80 by 24). Needs tmux. Run it with
.venv/bin/python, after a change of the screen that these pictures show.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from html import unescape
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "demo_worlds" / "sales_tax"
SECONDS = 60
"""How long to wait for a screen."""

READ_SECONDS = 0.4
"""Keys that decide are dropped while a stage is newer than 0.3 seconds."""

STORY = (
    ("New world", "p"),
    ("revision 1 gains 2 goals", "a"),
    ("Met: request 1 of 3", "n"),
    ("Enter goes to request 2", "Enter"),
    ("revision 2 gains 2 goals", "a"),
    ("Met: request 2 of 3", "n"),
    ("Enter goes to request 3", "Enter"),
    ("a As recorded", "a"),
    ("a 0/0  continue", "a"),
    ("verified, d in full", ""),
    ("Request 3 of 3", ""),
)
"""What the screen shows, and the key to press then. In the end it waits for the news to pass."""

TEXT_PICTURE = re.compile(r"(?<=```\n) YOUR TURN .*?\n(?=```)", re.DOTALL)

TEXT = re.compile(
    r'<text class="(?P<role>[^"]*)" x="(?P<x>[^"]*)" y="(?P<y>[^"]*)" textLength="(?P<length>[^"]*)"[^>]*>'
    r"(?P<before>(?:&#160;)*)(?P<content>[^<]*?)(?P<after>(?:&#160;)*)</text>"
)
"""A text of one look in the exported picture; its blanks are no-break ones."""

THEME = TerminalTheme(
    (18, 18, 18),
    (208, 208, 208),
    [(colour.red, colour.green, colour.blue) for colour in map(SVG_EXPORT_THEME.ansi_colors.__getitem__, range(16))],
)
"""Background and text of the dark theme."""

SVG = """\
<svg viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font: {char_height}px Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}}
{styles}
</style>
<rect width="100%" height="100%" fill="#121212"/>
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</svg>
"""


def play(world: Path, width: int, height: int) -> str:
    """Play the story on a terminal of that size; return the last screen with the escape sequences of its colours."""
    with tempfile.TemporaryDirectory(prefix="tmux-") as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TMUX"))}
        environment |= {"TMUX_TMPDIR": folder, "LC_ALL": "C.UTF-8"}
        environment.pop("NO_COLOR", None)

        def tmux(*arguments: str) -> str:
            command = ["tmux", "-u", "-f", "/dev/null", *arguments]
            return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

        program = [sys.executable, "-m", "jiti_tui", str(world)]
        named = ("set-option", "-g", "default-terminal", "tmux-256color")
        size = ("-x", str(width), "-y", str(height))
        tmux("start-server", ";", *named, ";", "new-session", "-d", *size, *program)
        try:
            for expected, key in STORY:
                end = time.monotonic() + SECONDS
                while expected not in (screen := tmux("capture-pane", "-p")):
                    if time.monotonic() > end:
                        raise SystemExit(f"The screen does not show {expected!r}:\n{screen}")
                    time.sleep(0.05)
                time.sleep(READ_SECONDS)
                if key:
                    tmux("send-keys", key)
            return tmux("capture-pane", "-p", "-e")
        finally:
            tmux("kill-server")


def svg(screen: str, width: int) -> str:
    """Return a screen as a picture that needs no font from elsewhere."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="256")
    console.print(Text.from_ansi(screen.rstrip("\n")), no_wrap=True, highlight=False)
    return TEXT.sub(
        _without_margins, console.export_svg(theme=THEME, code_format=SVG, font_aspect_ratio=0.602, unique_id="screen")
    )


def _without_margins(text: re.Match[str]) -> str:
    """Let a text begin and end with what is seen: not all viewers keep blanks at the ends."""
    before, content, after = text["before"], text["content"], text["after"]
    cells = len(unescape(before + content + after))
    cell = float(text["length"]) / cells
    x = float(text["x"]) + cell * len(unescape(before))
    length = cell * len(unescape(content))
    return f'<text class="{text["role"]}" x="{x:g}" y="{text["y"]}" textLength="{length:g}">{content}</text>'


def main() -> None:
    """Take both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for width, height in ((120, 40), (80, 24)):
            world = Path(folder) / str(width) / DEMO.name
            shutil.copytree(DEMO, world, ignore=shutil.ignore_patterns("store"))
            pictures.append(play(world, width, height))
    coloured, text = pictures
    (ROOT / "docs" / "screen.svg").write_text(svg(coloured, 120), encoding="utf-8")
    readme = ROOT / "README.md"
    plain = "".join(f"{line.rstrip()}\n" for line in Text.from_ansi(text).plain.splitlines())
    changed, count = TEXT_PICTURE.subn(lambda _: plain, readme.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit("README.md has no text picture, or several.")
    readme.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    main()
