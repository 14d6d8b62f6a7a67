"""Finds a part of a row that has moved aside, so that the terminal can shift it instead of having it written again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jiti_tui.tui.terminal.frame import Cell

Row = Sequence[Cell | None]
"""The cells of a row from its first to its last, None where nobody knows."""

_FEWEST_SAVED = 12
"""Cells that need not be written again; for fewer than these the sequence is not worth it."""

_PROBE = 16
"""How many cells after the first change a moved part is looked for, and how many of its cells must be the same."""


class Shift(NamedTuple):
    """What stands from column `x` on moves `by` cells to the right, to the left where it is below 0.

    To the left, what stands in the first cells from `x` on is gone.
    """

    x: int
    by: int

    def of(self, row: Row, blank: Cell) -> Row:
        """Return `row` once it is shifted, with `blank` in the cells that come free."""
        fresh = [blank] * abs(self.by)
        if self.by > 0:
            return [*row[: self.x], *fresh, *row[self.x : -self.by]]
        return [*row[: self.x], *row[self.x - self.by :], *fresh]


def shift_between(before: Row, after: Row) -> Shift | None:
    """Return the shift that saves most cells on the way from one row to another, None where none does.

    `after` must end in a blank: cells that the shift leaves free are like that one.
    """
    blank = after[-1]
    wrong = _differing(before, after)
    if blank is None or blank.text != " " or wrong < _FEWEST_SAVED:
        return None
    shifts = [shift for shift in _ends(before, after) if 0 < abs(shift.by) < len(after)]
    saved = {shift: wrong - _differing(shift.of(before, blank), after) for shift in shifts}
    best = max(saved, key=lambda shift: saved[shift], default=None)
    return best if best is not None and saved[best] >= _FEWEST_SAVED else None


def _ends(before: Row, after: Row) -> Iterator[Shift]:
    """Yield the shifts worth trying: one that brings the ends of both texts in line, and one that brings what stands a
    little behind the first change to where it stands in `after`.
    """
    ends = _end(before), _end(after)
    yield _before_run(before, after, ends[0] - 1, ends[1] - ends[0])
    first = next(x for x, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
    probe = first + _PROBE
    sought = list(after[probe : probe + _PROBE])
    for x in range(len(before) - len(sought) + 1 if len(sought) == _PROBE else 0):
        if list(before[x : x + _PROBE]) == sought:
            yield _before_run(before, after, x, probe - x)
            return


def _before_run(before: Row, after: Row, x: int, by: int) -> Shift:
    """The shift by `by` of all cells around column `x` that are right once they are shifted."""
    while x >= 0 and 0 <= x + by < len(after) and before[x] == after[x + by]:
        x -= 1
    return Shift(max(0, min(x + 1, x + 1 + by)), by)


def _differing(before: Row, after: Row) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))


def _end(row: Row) -> int:
    """The column past the last cell that is not the blank at the end of the row."""
    last = row[-1]
    end = len(row)
    while last is not None and last.text == " " and end > 0 and row[end - 1] == last:
        end -= 1
    return end
