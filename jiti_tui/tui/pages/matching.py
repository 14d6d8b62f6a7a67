"""Which rows of a list hold what the operator looks for. Lists change seldom and are painted often, so it is cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Row = TypeVar("Row")

NO_MATCH = "Nothing matches. Esc clears the filter."

SOUGHT_CHARACTERS = 2_000
"""How much of each text of a row is searched."""


class Matching(Generic[Row]):
    """Called with rows and a text, returns the rows whose `words` hold it, in upper or lower case."""

    def __init__(self, words: Callable[[Row], Sequence[str]]) -> None:
        self._words = words
        self._asked: tuple[Sequence[Row], str, object] = ((), "", None)
        self._found: Sequence[Row] = ()

    def __call__(
        self, rows: Sequence[Row], text: str, kind: object = None, is_of: Callable[[Row], bool] | None = None
    ) -> Sequence[Row]:
        """`is_of` is a further condition on rows. `kind` names it: the cache must tell one condition from another."""
        if not text and is_of is None:
            return rows
        known, sought, of = self._asked
        if rows is not known or text != sought or kind != of:
            wanted = text.casefold()
            self._found = [row for row in rows if (is_of is None or is_of(row)) and self._holds(row, wanted)]
            self._asked = (rows, text, kind)
        return self._found

    def _holds(self, row: Row, wanted: str) -> bool:
        return not wanted or any(wanted in word[:SOUGHT_CHARACTERS].casefold() for word in self._words(row))
