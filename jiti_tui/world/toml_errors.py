"""Turns what pydantic found wrong in world.toml into a sentence for the person who wrote it."""

from __future__ import annotations

import difflib
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from jiti_tui.world.toml_lines import Location

_SHOWN = 60
"""Characters of a wrong value that a message repeats."""


def sentence(error: ErrorDetails, file: type[BaseModel]) -> str:
    """What is wrong with which key of a `file` of that shape, and what to write instead."""
    return f"{_key(error['loc'])}{_wrong(error['loc'], error, file)}."


def _wrong(location: Location, error: ErrorDetails, file: type[BaseModel]) -> str:
    """The rest of the sentence, after the key."""
    found = _value(error["input"])
    match error["type"]:
        case "extra_forbidden":
            wrong = f" is not a known key{_nearest(location, file)}"
        case "missing" | "too_short" if location == ("packages",):
            wrong = ' is missing or empty: name the packages that the world manages, as in packages = ["MY-WORLD"]'
        case "missing":
            wrong = " is missing: add it"
        case "value_error":
            wrong = f": {error['ctx']['error']}"
        case "tuple_type":
            wrong = f' must be a list, as in {location[-1]} = ["..."]; it is {found}'
        case "model_type":
            wrong = f" must be a table; it is {found}"
        case "string_pattern_mismatch":
            wrong = (
                f" is {found}: write {'an address such as https://host/v1' if location[-1] == 'base_url' else 'a name'}"
            )
        case _:
            wrong = f": {_lower(error['msg'])}; it is {found}"
    return wrong


def _key(location: Location) -> str:
    """The key as the person knows it: `limits.heap_mb`, `goals of request 2`."""
    match location:
        case ("requests", int(index), str(key), *_):
            return f"{_printable(key)} of request {index + 1}"
        case ("requests", int(index)):
            return f"request {index + 1}"
        case _:
            return ".".join(_printable(part) for part in location if isinstance(part, str))


def _nearest(location: Location, file: type[BaseModel]) -> str:
    """The known key that was meant, or all of them where none is near."""
    table = file
    for part in location[:-1]:
        if isinstance(part, str):
            field = table.model_fields[part].annotation
            inner = getattr(field, "__args__", (field,))[0]
            if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
                return ""
            table = inner
    known = sorted(table.model_fields)
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    return f"; write {near[0]} if you meant that" if near else f"; the keys here are {', '.join(known)}"


def _printable(key: str) -> str:
    """A quoted key of TOML may hold anything, a terminal's commands too."""
    return key[:_SHOWN] if key.isprintable() else _value(key)


def _value(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
