"""Copies text to the clipboard of the operator's terminal, and to a file, since no terminal says whether it obeyed."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from jiti_tui.frozen import frozen
from jiti_tui.places import state_folder
from jiti_tui.tui.private_file import write_private
from jiti_tui.tui.state.errand import CopyText

LONGEST_SEQUENCE = 74_994
"""Bytes of base64 that xterm takes in one OSC 52; longer text goes to the file alone."""


@frozen
class Copied:
    """What is to be written to the terminal, "" where that cannot copy; and what is told to the operator."""

    sequence: str
    notice: str


def copied(copy: CopyText, environ: Mapping[str, str]) -> Copied:
    """Write `copy` to the file, and return how the terminal is asked to take it too."""
    path = state_folder(environ) / "copied.txt"
    try:
        write_private(path, copy.text)
        kept = f"in {_shown(path, environ)}"
    except OSError as error:
        kept = f"{_shown(path, environ)} cannot be written: {error.strerror}"
    sequence, way = osc52(copy.text, environ)
    counted = f"{len(copy.text)} characters of {copy.what}"
    if not sequence:
        return Copied("", f"Copied {counted}: {kept}; {way}.")
    return Copied(sequence, f"Copied {counted} {way}; also {kept}.")


def osc52(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the sequence that asks the terminal to take `text`, and how that was done or why it cannot be."""
    if environ.get("TERM") == "linux":
        return "", "this console has no clipboard"
    coded = base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()
    if len(coded) > LONGEST_SEQUENCE:
        return "", "it is too long for the terminal"
    sequence = f"\x1b]52;c;{coded}\x07"
    if environ.get("TMUX"):
        escaped = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{escaped}\x1b\\", "by OSC 52 through tmux, if it lets that pass"
    return sequence, "by OSC 52"


def _shown(path: Path, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME", "")
    return f"~/{path.relative_to(home)}" if home and path.is_relative_to(home) else str(path)
