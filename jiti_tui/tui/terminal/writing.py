"""Writes the way from one screen to the next in as few bytes as possible.

The sequences are those of ECMA-48 (CUP, CUF, EL, ECH, REP) and DECSTBM, which all terminals have, those that
`Abilities` names aside. Lines do not wrap: Textual has turned that off.
"""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.tui.terminal.abilities import Abilities
from jiti_tui.tui.terminal.frame import Cell
from jiti_tui.tui.terminal.look import PLAIN, Look, change, on_blanks
from jiti_tui.tui.terminal.scrolling import Scroll
from jiti_tui.tui.terminal.shifting import Row, shift_between

_WIDEST_GAP = 4
"""So many cells that stand already are written again rather than jumped over: the jump takes as many bytes."""

_UNKNOWN = Cell("", PLAIN)
"""Stands for a cell of which it is not known what it shows. It is never written, and equals no other cell."""

_FEWEST_REPEATED = 8
_FEWEST_ERASED = 12
"""Equal cells in a row from which on the sequence is shorter than writing them."""


class Writing:
    """Collects sequences, and follows the terminal's cursor: its place, and the look of what is written next."""

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._parts: list[str] = []
        self._at: tuple[int, int] | None = None
        self._look = PLAIN

    @property
    def text(self) -> str:
        """All that was collected, ending in the plain look."""
        return "".join([*self._parts, change(self._look, PLAIN)])

    def scroll(self, scroll: Scroll) -> None:
        """Scroll rows. What the rows that come in show is not known."""
        self._put(f"\x1b[{scroll.top + 1};{scroll.bottom + 1}r")
        start, line = (scroll.bottom, "\n") if scroll.by > 0 else (scroll.top, "\x1bM")
        self._put(f"\x1b[{start + 1}H{line * abs(scroll.by)}\x1b[r")
        self._at = (0, 0)

    def row(self, y: int, before: Row, after: Row) -> None:
        """Turn row `y` from `before` into `after`; cells of `after` that are not known stay as they are."""
        odd = min(_first_odd(before), _first_odd(after))
        if odd == len(after) and self._abilities.shifts:
            before = self._shifted(y, before, after)
        changed = [x for x, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        if changed and changed[-1] >= odd:
            # Terminals differ in how wide they draw these: what follows them is written as a whole.
            changed = list(range(min(changed[0], odd), len(after)))
        self._cells(y, [x for x in changed if after[x] is not None], [cell or _UNKNOWN for cell in after])

    def _shifted(self, y: int, before: Row, after: Row) -> Row:
        """Shift a part of a row if that saves bytes; return the row as it is then."""
        shift, last = shift_between(before, after), after[-1]
        if shift is None or last is None or not self._erases(last.look):
            return before
        self._go(y, shift.x, ())
        self._turn_for(last)
        self._put(f"\x1b[{shift.by}@" if shift.by > 0 else f"\x1b[{-shift.by}P")
        return shift.of(before, last)

    def _cells(self, y: int, changed: Sequence[int], row: Sequence[Cell]) -> None:
        """Write the cells of `row` in the columns that have `changed`."""
        tail = _tail(row)
        at = 0
        while at < len(changed):
            x = changed[at]
            if x >= tail and len(row) - x >= _WIDEST_GAP and self._erases(row[x].look):
                self._go(y, x, row)
                self._turn_for(row[x])
                self._put("\x1b[K")
                return
            same = _alike(changed, at, row)
            self._go(y, x, row)
            self._repeat(row[x], same)
            at += same

    def _repeat(self, cell: Cell, times: int) -> None:
        """Write a cell a number of times, by a sequence where that is shorter."""
        assert self._at is not None
        self._turn_for(cell)
        y, x = self._at
        if cell.text == " " and times >= _FEWEST_ERASED and self._abilities.erases_cells and self._erases(cell.look):
            self._put(f"\x1b[{times}X")
            return
        # Terminfo speaks of characters of one byte, and some terminals that repeat these repeat no others.
        if times >= _FEWEST_REPEATED and self._abilities.repeats and cell.text.isascii():
            self._put(f"{cell.text}\x1b[{times - 1}b")
        else:
            self._put(cell.text * times)
        self._at = (y, x + times)

    def _go(self, y: int, x: int, row: Sequence[Cell]) -> None:
        """Move the cursor to a place by the shortest way, which may be to write again the few cells before it."""
        if self._at == (y, x):
            return
        ways = [f"\x1b[{y + 1}H" if x == 0 else f"\x1b[{y + 1};{x + 1}H"]
        right = "" if x == 0 else "\x1b[C" if x == 1 else f"\x1b[{x}C"
        if self._at is not None:
            then, column = self._at
            if then == y and x == 0:
                ways.append("\r")
            elif then == y - 1:
                ways.append(f"\r\n{right}")
            elif then == y and column < x:
                gap = row[column:x]
                if 0 < len(gap) <= _WIDEST_GAP and _UNKNOWN not in gap and all(map(self._stands, gap)):
                    ways.append("".join(cell.text for cell in gap))
                ways.append("\x1b[C" if x - column == 1 else f"\x1b[{x - column}C")
        self._put(min(ways, key=lambda way: len(way.encode())))
        self._at = (y, x)

    def _stands(self, cell: Cell) -> bool:
        """Say whether a cell comes out right in the look that is set."""
        return cell.look == self._look or (cell.text == " " and on_blanks(self._look) == cell.look)

    def _turn_for(self, cell: Cell) -> None:
        """Set the look of a cell, unless it looks so already."""
        if not self._stands(cell):
            self._put(change(self._look, cell.look))
            self._look = cell.look

    def _erases(self, look: Look) -> bool:
        """Say whether erasing cells makes them blanks of `look`."""
        return not look.attributes and (not look.ground or self._abilities.erases_in_colour)

    def _put(self, sequence: str) -> None:
        if sequence:
            self._parts.append(sequence)


def _tail(row: Sequence[Cell]) -> int:
    """The place from which on all cells are the same blank, the row's end where its last one is none."""
    place = len(row)
    while place > 0 and row[place - 1].text == " " and row[place - 1] == row[-1]:
        place -= 1
    return place


def _alike(changed: Sequence[int], at: int, row: Sequence[Cell]) -> int:
    """How many of the next cells that have changed are neighbours and the same."""
    first, count = changed[at], 1
    while at + count < len(changed) and changed[at + count] == first + count and row[first + count] == row[first]:
        count += 1
    return count


def _first_odd(row: Row) -> int:
    """The place of the first character that does not take one cell, past the row's end where there is none."""
    return next((x for x, cell in enumerate(row) if cell is not None and len(cell.text) != 1), len(row))
