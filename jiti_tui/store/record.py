"""Records: flat or nested mappings of plain values, as the log and the manifests keep them in s-expressions.

A mapping is a property list `(:key value ...)`, `_` in a key written `-`; a list or tuple is a list; a float is a
string. A string of several lines is `(:lines "..." ...)`, so that a record always fits on one line of the log. False,
an empty list and an empty mapping are written `nil` and come back as None: the reader of a field knows which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from jiti_tui.sexp import Keyword, SexpError, Value, Writable, dumps, loads, plist

Record: TypeAlias = Mapping[str, Any]
"""Keys are lower-case words joined by `_`; values are str, int, float, bool, None, lists, tuples and records."""

_KEY = re.compile(r"[a-z][a-z0-9_]*")
_LINES = Keyword("lines")


def to_sexp(value: object) -> Writable:
    """Raises ValueError for a value or key that no record can hold."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return repr(value)
        case str():
            return [_LINES, *value.split("\n")] if "\n" in value else str(value)
        case Mapping():
            return [item for key, field in value.items() for item in (_keyword(key), to_sexp(field))]
        case list() | tuple():
            return [to_sexp(item) for item in value]
    raise ValueError(f"a record cannot hold a {type(value).__name__}")


def _keyword(key: object) -> Keyword:
    if not isinstance(key, str) or not _KEY.fullmatch(key) or key == _LINES:
        raise ValueError(f"not a key of a record: {key!r}")
    return Keyword(key.replace("_", "-"))


def from_sexp(value: Value) -> Any:
    """What `to_sexp` was given, floats as strings. Raises ValueError when no record is written like this."""
    if isinstance(value, Keyword):
        raise SexpError(f"the keyword {value!r} stands where a value belongs")
    if not isinstance(value, list):
        return value
    if value[0] == _LINES and isinstance(value[0], Keyword):
        if not all(isinstance(line, str) for line in value):
            raise SexpError("a line is no string")
        return "\n".join(str(line) for line in value[1:])
    if isinstance(value[0], Keyword):
        return {key: from_sexp(item) for key, item in plist(value).items()}
    return [from_sexp(item) for item in value]


def encode(record: Record) -> bytes:
    """The record on one line, without its newline. Raises ValueError for what no record can hold."""
    return dumps(to_sexp(record)).encode("utf-8", "surrogatepass")


def decode(line: bytes) -> dict[str, Any]:
    """The record that `encode` wrote. Raises ValueError when it wrote no such line."""
    record = from_sexp(loads(line.decode("utf-8", "surrogatepass")))
    if record is None:
        return {}
    if not isinstance(record, dict):
        raise SexpError("a record is no property list")
    return record
