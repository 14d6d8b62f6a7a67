"""A frame as Textual writes it: cells with their places."""

from __future__ import annotations

import re
from typing import NamedTuple

from rich.cells import get_character_cell_size

from jiti_tui.tui.terminal.look import PLAIN, Look, look_of, on_blanks

_TOKEN = re.compile(r"\x1b\[(?P<y>\d+);(?P<x>\d+)H|\x1b\[(?P<look>[\d;]*)m|(?P<text>[^\x00-\x1f\x7f-\x9f]+)|\n")
"""A place, a look, text, or the line end after a row, which does nothing: the next row begins with its place."""

_BLANK = " "


class Cell(NamedTuple):
    """A character with its combining marks; "" is the second cell of a wide one."""

    text: str
    look: Look


class Span(NamedTuple):
    """Neighbouring cells of a row; both places count from 0."""

    y: int
    x: int
    cells: list[Cell]


def is_frame(text: str) -> bool:
    """Say whether `text` could be a frame: it begins with a place."""
    found = _TOKEN.match(text)
    return found is not None and found["y"] is not None


def read_frame(text: str) -> list[Span] | None:
    """Return the cells that a frame writes, by place; None if it holds a sequence that is not known here."""
    spans: list[Span] = []
    look, end = PLAIN, 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return None
        end = token.end()
        if token["y"] is not None:
            spans.append(Span(int(token["y"]) - 1, int(token["x"]) - 1, []))
        elif token["look"] is not None:
            named = look_of(token["look"])
            if named is None:
                return None
            look = named
        elif token["text"] is not None:
            if not spans:
                return None
            _append(spans[-1].cells, token["text"], look)
    return spans if end == len(text) else None


def _append(cells: list[Cell], text: str, look: Look) -> None:
    blank = Cell(_BLANK, on_blanks(look))
    if text.isascii():
        cells += [blank if character == _BLANK else Cell(character, look) for character in text]
        return
    for character in text:
        width = get_character_cell_size(character)
        if character == _BLANK:
            cells.append(blank)
        elif width > 0:
            cells += [Cell(character, look), *[Cell("", look)] * (width - 1)]
        elif cells:
            _mark(cells, character)


def _mark(cells: list[Cell], mark: str) -> None:
    """Put a combining mark on the last character."""
    at = next((index for index in range(len(cells) - 1, -1, -1) if cells[index].text), None)
    if at is not None:
        cells[at] = Cell(cells[at].text + mark, cells[at].look)
