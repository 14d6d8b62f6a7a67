"""Finds rows that have moved up or down, so that the terminal can scroll them instead of having them written again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

Row = TypeVar("Row")

_FARTHEST = 3
"""Rows that a key or the wheel scrolls by. Paging scrolls farther, but leaves too few rows that only move."""

_FEWEST_SAVED = 3
"""Rows that need not be written again; for fewer than these the sequences are not worth it."""


class Scroll(NamedTuple):
    """The rows from `top` to `bottom`, both included, move up `by` rows, down where it is below 0."""

    top: int
    bottom: int
    by: int


def scroll_between(before: Sequence[Row], after: Sequence[Row]) -> Scroll | None:
    """Return the scrolling that saves most rows on the way from one screen to the other, None where none does."""
    best, most = None, _FEWEST_SAVED - 1
    for by in (step for distance in range(1, _FARTHEST + 1) for step in (distance, -distance)):
        for first, end in _runs(before, after, by):
            saved = sum(before[row] != after[row] for row in range(first, end))
            if saved > most:
                best, most = Scroll(min(first, first + by), max(end - 1, end - 1 + by), by), saved
    return best


def _runs(before: Sequence[Row], after: Sequence[Row], by: int) -> list[tuple[int, int]]:
    """The stretches of rows that stood `by` rows further down before: first row, and the one past the last."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for row in range(len(after) + 1):
        same = row < len(after) and 0 <= row + by < len(before) and after[row] == before[row + by]
        if same and start is None:
            start = row
        elif not same and start is not None:
            runs.append((start, row))
            start = None
    return runs
