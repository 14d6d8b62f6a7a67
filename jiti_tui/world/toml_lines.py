"""Finds the line of a key or a string in a TOML text, for error messages: tomllib keeps no positions of what it read.

It reads line by line, so a key inside a multi-line string can mislead it. A wrong line costs a glance.
"""

from __future__ import annotations

import json
import re

Location = tuple[str | int, ...]
"""The way to a value: keys, and indices from 0 into arrays, as pydantic's `loc`."""

_HEADER = re.compile(r"""^\s*(\[\[?)\s*["']?([\w.-]+)["']?\s*\]\]?""")
_KEY = re.compile(r"""^\s*["']?([\w-]+)["']?\s*[=.]""")


def key_line(text: str, location: Location) -> int | None:
    """The line, from 1, of the key at `location`, or else of its table; None where neither is found."""
    table, key = _table_and_key(location)
    lines = _table_lines(text, table)
    for number, line in lines:
        match = _KEY.match(line)
        if match and match[1] == key:
            return number
    if table is None:
        return None
    return lines[0][0] if lines else key_line(text, tuple(table[0].split(".")))


def string_line(text: str, location: Location, string: str) -> int | None:
    """The line, from 1, of a string in the list at `location`, or else of its key; None where neither is found."""
    quoted = (json.dumps(string, ensure_ascii=False), f"'{string}'")
    start = key_line(text, location)
    for number, line in _table_lines(text, _table_and_key(location)[0]):
        if start and number >= start and any(form in line for form in quoted):
            return number
    return start


def _table_and_key(location: Location) -> tuple[tuple[str, int] | None, str]:
    """Which table holds the key, None for the root, and the key's own name, "" for a table itself."""
    match location:
        case ("requests", int(index), *rest):
            return ("requests", index), str(rest[0]) if rest else ""
        case (str(table), str(inner), str(key), *_):
            return (f"{table}.{inner}", 0), key
        case (str(table), str(key), *_):
            return (table, 0), key
        case (str(key), *_):
            return None, key
        case _:
            return None, ""


def _table_lines(text: str, table: tuple[str, int] | None) -> list[tuple[int, str]]:
    """The numbered lines of one table, its header first. The root has those before any header, and the headers."""
    lines = []
    seen: dict[str, int] = {}
    here: tuple[str, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            name = header[2]
            seen[name] = seen.get(name, -1) + 1
            here = (name, seen[name])
            if table is None:
                lines.append((number, f"{name} ="))
        if here == table:
            lines.append((number, line))
    return lines
