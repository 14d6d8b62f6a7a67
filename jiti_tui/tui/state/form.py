"""Forms that the operator edits: lines, a cursor, and the way back."""

from __future__ import annotations

import re
from dataclasses import replace

from jiti_tui.frozen import frozen
from jiti_tui.tui.text.literal import TAB_CELLS, literal

_LAST_WORD = re.compile(r"\S*\s*$")

LONGEST_PAST = 500
"""Steps that undo goes back at most."""


@frozen
class Form:
    """`row` and `column` count from 0; `column` is at most its line's length. `past` holds earlier forms in order."""

    lines: tuple[str, ...] = ("",)
    row: int = 0
    column: int = 0
    past: tuple[Form, ...] = ()

    @classmethod
    def of(cls, text: str) -> Form:
        """Return `text` as a form. Tabs become blanks, and what cannot be shown becomes an escape: nothing hides."""
        return cls(_split(text))

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines)

    @property
    def line(self) -> str:
        """The line of the cursor."""
        return self.lines[self.row]

    def at_end(self) -> Form:
        """Return the form with the cursor behind its last character."""
        return replace(self, row=len(self.lines) - 1, column=len(self.lines[-1]))

    def insert(self, text: str) -> Form:
        """Return the form with `text` at the cursor."""
        first, *rest = _split(text)
        before, after = self.line[: self.column], self.line[self.column :]
        if not rest:
            return self._changed(self.row, 1, (before + first + after,), self.row, self.column + len(first))
        lines = (before + first, *rest[:-1], rest[-1] + after)
        return self._changed(self.row, 1, lines, self.row + len(rest), len(rest[-1]))

    def edited(self, key: str, page: int) -> Form:
        """Return the form after an editing key; `page` is how many lines PgUp and PgDn move."""
        match key:
            case "enter":
                return self.insert("\n" + " " * (len(self.line) - len(self.line.lstrip(" "))))
            case "tab":
                return self.insert("  ")
            case "backspace":
                return self._delete_back()
            case "delete" | "ctrl+d":
                after = self._moved("right")
                return self if after is self else after._delete_back()
            case "ctrl+w":
                start = self.column - len(_LAST_WORD.findall(self.line[: self.column])[0])
                line = self.line[:start] + self.line[self.column :]
                return self._changed(self.row, 1, (line,), self.row, start)
            case "ctrl+k":
                return self._changed(self.row, 1, (self.line[: self.column],), self.row, self.column)
            case "ctrl+u":
                return self._changed(self.row, 1, (self.line[self.column :],), self.row, 0)
            case "ctrl+z":
                return replace(self.past[-1], past=self.past[:-1]) if self.past else self
            case "pageup" | "pagedown":
                return self._at(self.row + (page if key == "pagedown" else -page), self.column)
            case _:
                return self._moved(key)

    def _moved(self, key: str) -> Form:
        match key:
            case "up":
                return self._at(self.row - 1, self.column)
            case "down":
                return self._at(self.row + 1, self.column)
            case "left" if self.column > 0:
                return self._at(self.row, self.column - 1)
            case "left" if self.row > 0:
                return self._at(self.row - 1, len(self.lines[self.row - 1]))
            case "right" if self.column < len(self.line):
                return self._at(self.row, self.column + 1)
            case "right" if self.row < len(self.lines) - 1:
                return self._at(self.row + 1, 0)
            case "home" | "ctrl+a":
                return self._at(self.row, 0)
            case "end" | "ctrl+e":
                return self._at(self.row, len(self.line))
            case _:
                return self

    def _at(self, row: int, column: int) -> Form:
        row = max(0, min(len(self.lines) - 1, row))
        return replace(self, row=row, column=min(column, len(self.lines[row])))

    def _delete_back(self) -> Form:
        if self.column > 0:
            line = self.line[: self.column - 1] + self.line[self.column :]
            return self._changed(self.row, 1, (line,), self.row, self.column - 1)
        if self.row > 0:
            above = self.lines[self.row - 1]
            return self._changed(self.row - 1, 2, (above + self.line,), self.row - 1, len(above))
        return self

    def _changed(self, first: int, count: int, lines: tuple[str, ...], row: int, column: int) -> Form:
        """Return the form with `count` lines from `first` on replaced."""
        past = (*self.past, replace(self, past=()))[-LONGEST_PAST:]
        return Form((*self.lines[:first], *lines, *self.lines[first + count :]), row, column, past)


def _split(text: str) -> tuple[str, ...]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(literal(line.expandtabs(TAB_CELLS)) for line in lines)
