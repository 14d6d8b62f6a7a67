"""Remembers what each cell of the terminal shows, and cuts frames down to what differs from that."""

from __future__ import annotations

from jiti_tui.tui.terminal.abilities import Abilities
from jiti_tui.tui.terminal.frame import Cell, Span, is_frame, read_frame
from jiti_tui.tui.terminal.scrolling import scroll_between
from jiti_tui.tui.terminal.writing import Writing

_ALTERNATE_SCREEN = "\x1b[?1049"
"""Begins the sequences that change to the alternate screen and back. What is shown after them is not known."""

KnownRow = list[Cell | None]


class Display:
    """Everything written to the terminal goes through `shortened`; if something else may have written to it, `forget`
    must be called.
    """

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._rows: list[KnownRow] = []

    def forget(self) -> None:
        """Forget what the cells show: each is written again with the next frame that has it."""
        self._rows = []

    def shortened(self, text: str, width: int, height: int) -> str:
        """Return the shortest text found that makes a terminal of `width` x `height` cells show the same as `text`."""
        if _ALTERNATE_SCREEN in text:
            self.forget()
        if not is_frame(text):
            return text
        spans = read_frame(text)
        if spans is None:
            self.forget()
            return text
        if (len(self._rows), len(self._rows[0]) if self._rows else 0) != (height, width):
            self._rows = [[None] * width for _ in range(height)]
        return self._turn(_after(self._rows, spans))

    def _turn(self, after: list[KnownRow]) -> str:
        """Return what turns the rows that are shown into those of `after`, and remember these."""
        writing = Writing(self._abilities)
        scroll = scroll_between(_to_compare(self._rows), _to_compare(after))
        if scroll is not None:
            writing.scroll(scroll)
            moved = self._rows[scroll.top : scroll.bottom + 1]
            fresh: list[KnownRow] = [[None] * len(row) for row in moved[: abs(scroll.by)]]
            kept = [*moved[scroll.by :], *fresh] if scroll.by > 0 else [*fresh, *moved[: scroll.by]]
            self._rows[scroll.top : scroll.bottom + 1] = kept
        for y, (old, new) in enumerate(zip(self._rows, after, strict=True)):
            if old is not new:
                writing.row(y, old, new)
        self._rows = after
        return writing.text


def _after(rows: list[KnownRow], spans: list[Span]) -> list[KnownRow]:
    """Return `rows` with a frame's cells in place. A row that the frame does not touch stays the same object."""
    after = list(rows)
    for y, x, cells in spans:
        if 0 <= y < len(rows):
            row = after[y] if after[y] is not rows[y] else list(rows[y])
            room = max(0, len(row) - x)
            row[x : x + len(cells)] = cells[:room]
            if len(cells) > room > 0:
                # Lines do not wrap: what is too much was written into the last cell, again and again.
                row[-1] = None
            after[y] = row
    return after


def _to_compare(rows: list[KnownRow]) -> list[object]:
    """Return `rows` for comparison; in the place of one with unknown cells stands an object that equals no other."""
    return [object() if None in row else row for row in rows]
