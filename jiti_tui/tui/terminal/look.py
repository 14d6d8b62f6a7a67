"""How a cell looks, and the shortest sequence that changes how the next cells look.

The sequences are those of ECMA-48, 8.3.117 (SGR), with the colours of xterm.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}
"""The parameter that ends each attribute. 22 ends both bold (1) and faint (2)."""

_SEEN_ON_BLANKS = frozenset({"4", "5", "7", "9"})
"""Underlined, blinking, reversed, struck out: attributes that show where there is no character."""


class Look(NamedTuple):
    """Parameters of SGR: the attributes in order, and the colours, "" for the terminal's own."""

    attributes: tuple[str, ...] = ()
    colour: str = ""
    ground: str = ""


PLAIN = Look()


@lru_cache(maxsize=256)
def look_of(parameters: str) -> Look | None:
    """Return the look that the `parameters` of an SGR sequence make of a plain one, None where one is not known."""
    attributes: set[str] = set()
    colour = ground = ""
    for part in _parts(parameters.split(";")):
        first = part.partition(";")[0]
        if first in ("", "0"):
            attributes, colour, ground = set(), "", ""
        elif first in _OFF:
            attributes.add(first)
        elif not first.isdigit():
            return None
        elif first == "38" or 30 <= int(first) <= 37 or 90 <= int(first) <= 97:
            colour = part
        elif first == "48" or 40 <= int(first) <= 47 or 100 <= int(first) <= 107:
            ground = part
        elif first == "39":
            colour = ""
        elif first == "49":
            ground = ""
        else:
            return None
    return Look(tuple(sorted(attributes)), colour, ground)


@lru_cache(maxsize=256)
def on_blanks(look: Look) -> Look:
    """Return the simplest look in which a blank looks as it does in `look`."""
    return look if _SEEN_ON_BLANKS.intersection(look.attributes) else Look(ground=look.ground)


@lru_cache(maxsize=1024)
def change(before: Look, after: Look) -> str:
    """Return the shortest sequence after which cells look like `after` where they looked like `before`."""
    if before == after:
        return ""
    if after == PLAIN:
        return "\x1b[m"
    ends = {_OFF[attribute] for attribute in before.attributes if attribute not in after.attributes}
    begun = [each for each in after.attributes if each not in before.attributes or _OFF[each] in ends]
    step = [*sorted(ends), *begun]
    if after.colour != before.colour:
        step.append(after.colour or "39")
    if after.ground != before.ground:
        step.append(after.ground or "49")
    anew = ["0", *after.attributes, after.colour, after.ground]
    return min((f"\x1b[{';'.join(part for part in parts if part)}m" for parts in (step, anew)), key=len)


def _parts(parameters: list[str]) -> Iterator[str]:
    """Yield each parameter, those of a colour by number or by its levels as one."""
    index = 0
    while index < len(parameters):
        size = {"5": 3, "2": 5}.get("".join(parameters[index + 1 : index + 2]), 1)
        size = size if parameters[index] in ("38", "48") else 1
        yield ";".join(parameters[index : index + size])
        index += size
