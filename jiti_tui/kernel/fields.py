"""Typed access to the fields of a message. Whatever a worker sends is checked here before it goes anywhere else."""

from __future__ import annotations

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.wire import Message
from jiti_tui.sexp import Keyword, Value

MAX_INTEGER = 2**62
MAX_ROWS = 200_000


class Fields:
    """The fields of `message`. Every method raises `WorkerError`, naming the field, when its value is not as asked."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    def text(self, name: str) -> str:
        """A string; nil and an absent field are the empty one."""
        return self._text(name, self._message.fields.get(name))

    def word(self, name: str) -> str:
        """A keyword, without its colon."""
        return self._word(name, self._message.fields.get(name))

    def integer(self, name: str, absent: int | None = None) -> int:
        """An integer from 0 to `MAX_INTEGER`; `absent`, when that is given, for nil and an absent field."""
        value = self._message.fields.get(name)
        return absent if value is None and absent is not None else self._integer(name, value)

    def flag(self, name: str) -> bool:
        """T or nil."""
        value = self._message.fields.get(name)
        if value is True or value is None:
            return value is True
        raise self._wrong(name, "t or nil", value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(self._text(name, item) for item in self._list(name, self._message.fields.get(name)))

    def integers(self, name: str) -> tuple[int, ...]:
        """A list of integers from 0 to `MAX_INTEGER`."""
        return tuple(self._integer(name, item) for item in self._list(name, self._message.fields.get(name)))

    def rows(self, name: str, columns: int) -> tuple[Row, ...]:
        """A list of lists of `columns` items each."""
        rows = []
        for item in self._list(name, self._message.fields.get(name)):
            if not isinstance(item, list) or len(item) != columns:
                raise self._wrong(name, f"a list of {columns} items", item)
            rows.append(Row(self, name, item))
        return tuple(rows)

    def _list(self, name: str, value: Value) -> list[Value]:
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > MAX_ROWS:
            raise self._wrong(name, f"a list of at most {MAX_ROWS} items", value)
        return value

    def _text(self, name: str, value: Value) -> str:
        if value is None:
            return ""
        if not isinstance(value, str) or isinstance(value, Keyword):
            raise self._wrong(name, "a string", value)
        return value

    def _word(self, name: str, value: Value) -> str:
        if not isinstance(value, Keyword):
            raise self._wrong(name, "a keyword", value)
        return str(value)

    def _integer(self, name: str, value: Value) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_INTEGER:
            raise self._wrong(name, f"an integer from 0 to {MAX_INTEGER}", value)
        return value

    def _wrong(self, name: str, wanted: str, value: Value) -> WorkerError:
        field = f":{name.replace('_', '-')} of :{self._message.kind}"
        return WorkerError(f"A worker sent {repr(value)[:60]} as {field}, where {wanted} belongs.")


class Row:
    """One list of a field that is a list of lists; its items are read by position, with the checks of `Fields`."""

    __slots__ = ("_fields", "_items", "_name")

    def __init__(self, fields: Fields, name: str, items: list[Value]) -> None:
        self._fields = fields
        self._name = name
        self._items = items

    def text(self, index: int) -> str:
        """The string at `index`; nil is the empty one."""
        return self._fields._text(self._name, self._items[index])

    def word(self, index: int) -> str:
        """The keyword at `index`, without its colon."""
        return self._fields._word(self._name, self._items[index])

    def integer(self, index: int) -> int:
        """The integer at `index`."""
        return self._fields._integer(self._name, self._items[index])

    def optional_integer(self, index: int) -> int | None:
        """The integer at `index`, None for nil."""
        return None if self._items[index] is None else self.integer(index)
