"""The fields of a property list, each of the type that its reader expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from jiti_tui.sexp import Value
from jiti_tui.store.record import from_sexp

T = TypeVar("T")


class Fields:
    """Wraps what `sexp.plist` returned.

    Every method raises ValueError, naming the field, when the value is of another type.
    """

    def __init__(self, fields: Mapping[str, Value]) -> None:
        self._fields = fields

    def has(self, key: str) -> bool:
        """Whether the field is there."""
        return key in self._fields

    def value(self, key: str) -> Value:
        """The field as it is; nil is None."""
        if key not in self._fields:
            raise ValueError(f"{key} is missing")
        return self._fields[key]

    def text(self, key: str) -> str:
        """A string."""
        return _exactly(str, key, self.value(key))

    def integer(self, key: str) -> int:
        """An integer."""
        return _exactly(int, key, self.value(key))

    def row(self, key: str, *types: type) -> tuple[Any, ...]:
        """A list with one item of each of `types`."""
        return _row(key, self.value(key), types)

    def rows(self, key: str, *types: type) -> tuple[tuple[Any, ...], ...]:
        """A list of such lists."""
        return tuple(_row(key, row, types) for row in self._list(key))

    def records(self, key: str) -> tuple[dict[str, Any], ...]:
        """A list of records."""
        return tuple(_exactly(dict, key, from_sexp(record)) for record in self._list(key))

    def _list(self, key: str) -> list[Value]:
        value = self.value(key)
        return [] if value is None else _exactly(list, key, value)


def _row(key: str, value: Value, types: tuple[type, ...]) -> tuple[Any, ...]:
    row = _exactly(list, key, value)
    if len(row) != len(types):
        raise ValueError(f"{key} has a row of {len(row)} items, not {len(types)}")
    return tuple(_exactly(kind, key, item) for kind, item in zip(types, row, strict=True))


def _exactly(kind: type[T], key: str, value: object) -> T:
    # Not isinstance: t is no integer, and a keyword is no string.
    if type(value) is not kind:
        raise ValueError(f"{key} holds a {type(value).__name__}, not a {kind.__name__}")
    return value
