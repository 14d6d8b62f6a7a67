"""The strict subset of s-expressions that the wire and the store share: lists, keywords, strings, integers, t and nil.

`docs/wire.md` defines it. Writing is ours; reading goes through sexpdata once the text is known to be in the subset.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import sexpdata

MAX_CHARACTERS = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_DIGITS = 100

_KEYWORD = re.compile(r"[a-z][a-z0-9-]*")
_BLANK = re.compile(r"[ \t\r\n]*+")
_STRING = re.compile(r'"([^"\\]*+(?:(?:\\["\\])++[^"\\]*+)*+)"')
_ATOM = re.compile(rf"(?::{_KEYWORD.pattern}|-?[0-9]{{1,{MAX_DIGITS}}}|t|nil)(?=[ \t\r\n()\"]|\Z)")


class SexpError(ValueError):
    """The text is not one value of the subset, or the value cannot be written in it."""


class Keyword(str):
    """A Lisp keyword: its name without the colon, in lower case."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f":{self}"


Value: TypeAlias = "Keyword | str | int | bool | list[Value] | None"
"""What `loads` returns. The empty list, nil and false are one: None."""

Writable: TypeAlias = "Keyword | str | int | bool | Sequence[Writable] | None"
"""What `dumps` takes: `Value`, with any sequence for a list."""


def dumps(value: Writable) -> str:
    """Write `value` as one s-expression on one line, unless its strings hold newlines.

    Raises `SexpError` when the value nests deeper than `MAX_DEPTH`, or holds anything that the subset cannot express.
    """
    parts: list[str] = []
    _write(value, parts, 0)
    return "".join(parts)


def _write(value: Writable, parts: list[str], depth: int) -> None:
    if value is None or value is False:
        parts.append("nil")
    elif value is True:
        parts.append("t")
    elif isinstance(value, Keyword):
        if not _KEYWORD.fullmatch(value):
            raise SexpError(f"not the name of a keyword: {str(value)[:40]!r}")
        parts.append(f":{value}")
    elif isinstance(value, str):
        parts.append('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"')
    elif isinstance(value, int):
        if abs(value) >= 10**MAX_DIGITS:
            raise SexpError(f"an integer of more than {MAX_DIGITS} digits")
        parts.append(str(value))
    elif isinstance(value, list | tuple):
        _write_list(value, parts, depth + 1)
    else:
        raise SexpError(f"no s-expression for a {type(value).__name__}")


def _write_list(items: Sequence[Writable], parts: list[str], depth: int) -> None:
    if not items:
        parts.append("nil")
        return
    if depth > MAX_DEPTH:
        raise SexpError(f"lists nest deeper than {MAX_DEPTH}")
    separator = "("
    for item in items:
        parts.append(separator)
        _write(item, parts, depth)
        separator = " "
    parts.append(")")


def loads(text: str) -> Value:
    """Read the one value that `text` holds.

    Strings come back exactly as they were given to `dumps`. Raises `SexpError`, with the position, for anything outside
    the subset: other tokens, other escapes, text before or after the value, more than `MAX_CHARACTERS`, nesting beyond
    `MAX_DEPTH`.
    """
    if len(text) > MAX_CHARACTERS:
        raise SexpError(f"{len(text)} characters, more than {MAX_CHARACTERS}")
    skeleton, strings = _checked(text)
    read: list[Value] = _Parser(skeleton, strings).parse()
    return read[0]


class _Parser(sexpdata.Parser):  # type: ignore[misc]  # the library has no types
    """sexpdata's parser, with the atoms of the subset.

    It sees only the numbers of strings: it spends a microsecond on every escape, and has escapes of its own. What its
    constructor works out anew for each text, which takes longer than reading a short one, is worked out once.
    """

    _settled = vars(sexpdata.Parser(""))

    def __init__(self, skeleton: str, strings: list[str]) -> None:
        self.__dict__.update(self._settled, string=skeleton, string_to=lambda number: strings[int(number)])

    def atom(self, atom: str) -> Value:
        """The value of a keyword, an integer, t or nil."""
        if atom[0] == ":":
            return Keyword(atom[1:])
        if atom == "nil":
            return None
        return True if atom == "t" else int(atom)


def _checked(text: str) -> tuple[str, list[str]]:
    """Return `text` with nil for each empty list and a number for each string, and the strings.

    Raises `SexpError` unless it is one value.
    """
    skeleton: list[str] = []
    strings: list[str] = []
    depth = 0
    values = 0
    position = _skip_blank(text, 0)
    while position < len(text):
        if depth == 0 and values == 1:
            raise SexpError(f"text after the end of the value at character {position}")
        character = text[position]
        end = position + 1
        if character == "(":
            depth += 1
            if depth > MAX_DEPTH:
                raise SexpError(f"lists nest deeper than {MAX_DEPTH} at character {position}")
        elif character == ")":
            depth -= 1
            if depth < 0:
                raise SexpError(f"a closing parenthesis too many at character {position}")
            if skeleton[-1] == "(":
                skeleton.pop()
                character = "nil"
        elif character == '"':
            match = _STRING.match(text, position)
            if match is None:
                raise SexpError(f"a string that does not end, or an unknown escape in it, at character {position}")
            character = f'"{len(strings)}"'
            strings.append(_unescaped(match[1]))
            end = match.end()
        else:
            match = _ATOM.match(text, position)
            if match is None:
                raise SexpError(f"{text[position : position + 20]!r} is no token at character {position}")
            character = match[0]
            end = match.end()
        skeleton.append(character)
        if depth == 0:
            values += 1
        position = _skip_blank(text, end)
    if depth > 0 or values == 0:
        raise SexpError("the text ends before the value does")
    return " ".join(skeleton), strings


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    assert match is not None  # the pattern matches the empty string
    return match.end()


def _unescaped(text: str) -> str:
    return "\\".join(part.replace('\\"', '"') for part in text.split("\\\\"))


def plist(value: Value) -> dict[str, Value]:
    """Turn `(:key v ...)` into a dictionary; `-` in a key becomes `_`.

    Raises `SexpError` when `value` is no list, a key is no keyword or comes twice, or the last key has no value.
    """
    if value is None:
        return {}
    if not isinstance(value, list):
        raise SexpError(f"a property list was expected, not {type(value).__name__}")
    if len(value) % 2:
        raise SexpError(f"a property list of {len(value)} items: one key has no value")
    fields: dict[str, Value] = {}
    for key, item in zip(value[::2], value[1::2], strict=True):
        if not isinstance(key, Keyword):
            raise SexpError(f"a key of a property list is no keyword but {type(key).__name__}")
        name = key.replace("-", "_")
        if name in fields:
            raise SexpError(f"the key {key!r} comes twice")
        fields[name] = item
    return fields
