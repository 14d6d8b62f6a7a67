"""A page: lines, and which of them can be selected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar, overload

from jiti_tui.frozen import frozen
from jiti_tui.tui.state.view import Identity, Place
from jiti_tui.tui.text.line import Line

Row = TypeVar("Row")

Choices = Sequence[tuple[Identity, int]]
"""The selectable rows of a page in order: what each is about, and the index of its line."""


@frozen
class Page:
    """What a pane or a sheet shows."""

    name: str
    """What tells one page from another: a page of another name starts at its top."""
    title: str
    lines: Sequence[Line]
    choices: Choices = ()
    cursor: Identity | None = None
    """The selected row, None when nothing can be selected."""
    top: int = 0
    """The first line shown."""
    height: int = 0
    """Lines that are shown at once."""
    aside: str = ""
    """Stands at the right of the title."""
    follows: bool = True
    """Paging moves the cursor; otherwise it scrolls past it."""
    waits: bool = False
    """Something that was asked for is not there yet."""

    @property
    def shown(self) -> Sequence[Line]:
        """The lines in sight, `height` at most."""
        return [self.lines[index] for index in range(self.top, min(len(self.lines), self.top + self.height))]

    def line_of(self, identity: Identity | None) -> int | None:
        """Return the index of a selectable row's line, None when it is gone."""
        return next((line for known, line in self.choices if known == identity), None)

    def in_sight(self, identity: Identity) -> bool:
        """Say whether a selectable row is shown."""
        line = self.line_of(identity)
        return line is not None and self.top <= line < self.top + self.height

    @property
    def last_top(self) -> int:
        """The furthest that the page scrolls."""
        return max(0, len(self.lines) - self.height)


def cursor_of(choices: Choices, place: Place, default: Identity | None = None) -> Identity | None:
    """Return the row that `place` selects, the default or the first one when it is gone."""
    identities = [identity for identity, _ in choices]
    for wanted in (place.cursor, default):
        if wanted is not None and wanted in identities:
            return wanted
    return identities[0] if identities else None


def top_of(length: int, height: int, place: Place, cursor_line: int | None) -> int:
    """Return the first line to show: the place's, moved so far that the cursor is in sight and the page is full."""
    top = place.top
    if cursor_line is not None:
        top = min(max(top, cursor_line - height + 1), cursor_line)
    return max(0, min(top, length - height))


class Lines(Sequence[Line], Generic[Row]):
    """Lines that are made when they are looked at: a list of ten thousand rows costs what is in sight.

    `after` are lines below the rows.
    """

    def __init__(self, rows: Sequence[Row], write: Callable[[Row], Line], after: Sequence[Line] = ()) -> None:
        self._rows = rows
        self._write = write
        self._after = after

    def __len__(self) -> int:
        return len(self._rows) + len(self._after)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        count = len(self._rows)
        return self._write(self._rows[index]) if 0 <= index < count else self._after[index - count]

    def __iter__(self) -> Iterator[Line]:
        return chain(map(self._write, self._rows), self._after)
