"""The one gate for text that others wrote: kernel, model and files.

Nothing reaches the terminal that is not a `Literal`. A literal holds printable characters only. What a terminal could
obey (escape sequences, control characters), what could reorder or hide text (bidirectional controls, zero-width
characters) and odd spaces stand in it as their escapes, such as `\\x1b` and `\\u202e`. Text is never markup: a literal
is painted as it is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NewType

from rich.cells import cell_len, get_character_cell_size

Literal = NewType("Literal", str)

MARKS_AT_MOST = 2
"""Combining marks kept after one letter; more than that is no writing system's need."""

_PLAIN = re.compile(r"[ -~]*")
TAB_CELLS = 8
"""Distance of tab stops."""


def literal(text: str, *, ascii_only: bool = False) -> Literal:
    """Return `text` as one line that is safe to paint. Line ends and tabs become spaces.

    With `ascii_only` every other character than ASCII stands as its escape.
    """
    if _PLAIN.fullmatch(text):
        return Literal(text)
    kept: list[str] = []
    marks = MARKS_AT_MOST
    for character in text:
        if " " <= character <= "~":
            kept.append(character)
            marks = 0 if character.isalpha() else MARKS_AT_MOST
        elif character in "\n\r\t":
            kept.append(" ")
            marks = MARKS_AT_MOST
        elif ascii_only or not character.isprintable():
            kept.append(escape(character))
            marks = MARKS_AT_MOST
        elif get_character_cell_size(character) > 0:
            kept.append(character)
            marks = 0 if character.isalpha() else MARKS_AT_MOST
        elif marks < MARKS_AT_MOST and unicodedata.category(character) == "Mn" and not _selects_a_glyph(character):
            kept.append(character)
            marks += 1
        else:
            kept.append(escape(character))
            marks = MARKS_AT_MOST
    return Literal("".join(kept))


def literal_lines(text: str, *, ascii_only: bool = False) -> list[Literal]:
    """Return the lines of `text`, each safe to paint, tabs expanded to stops of 8 cells."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [literal(line.expandtabs(TAB_CELLS), ascii_only=ascii_only) for line in lines]


def escape(character: str) -> str:
    """Return the escape that stands for `character`: `\\x1b`, `\\u202e`, `\\U000e0001`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: Literal) -> int:
    """Return how many cells `text` takes."""
    return cell_len(text)


def _selects_a_glyph(character: str) -> bool:
    """Variation selectors change how wide terminals draw the character before them."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
