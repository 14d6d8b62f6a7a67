"""Which definitions of a world a view shows in full, where it cannot show all of them.

Names alone decide: nothing here reads Lisp.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jiti_tui.frozen import frozen
from jiti_tui.model.fences import size
from jiti_tui.model.view import Definition, View

_MOST_CHARACTERS = 4_000
"""Of a text that is looked through for names."""
_WORD = re.compile(r"[^\s()'`\",;#|]+")


@frozen
class Shown:
    """`sources` are shown in full. `indexed` are those of which the first line is shown; empty where all fit."""

    sources: tuple[Definition, ...]
    indexed: tuple[Definition, ...] = ()


def choose_definitions(view: View, whole: int, budget: int) -> Shown:
    """All of `view`'s definitions where their texts fit into `whole` bytes; else those that matter most now, as many as
    fit into `budget`.

    First those that the condition and the stack, the failing checks and the request name, then those that these name in
    turn. The order of the view is kept: it is the order in which they load.
    """
    definitions = view.definitions
    if sum(size(definition.text) + 2 for definition in definitions) <= whole:
        return Shown(definitions)
    by_name: dict[str, list[int]] = {}
    for index, definition in enumerate(definitions):
        for word in _words(definition.name[:200]):
            by_name.setdefault(word, []).append(index)
    chosen: list[int] = []
    seen: set[int] = set()
    waiting = [_named(_texts(view), by_name)]
    while waiting:
        found = [index for index in waiting.pop() if index not in seen]
        for index in found:
            room = size(definitions[index].text) + 2
            if index not in seen and room <= budget:
                budget -= room
                chosen.append(index)
            seen.add(index)
        if found:
            waiting.append(_named((definitions[index].text for index in found), by_name))
    return Shown(tuple(definitions[index] for index in sorted(chosen)), definitions)


def _texts(view: View) -> Iterable[str]:
    """What the next step is about, the most pressing first."""
    if view.paused:
        yield view.paused.condition
        yield from (frame.call for frame in view.paused.frames)
    for check in view.checks:
        if check.decides and check.ok is False:
            yield from (check.name, check.detail, check.text)
    yield view.request


def _named(texts: Iterable[str], by_name: dict[str, list[int]]) -> list[int]:
    return [index for text in texts for word in _words(text) for index in by_name.get(word, ())]


def _words(text: str) -> list[str]:
    """The words of `text` as symbols are looked up: without a package, in lower case, without a full stop."""
    return [word.lower().rpartition(":")[2].rstrip(".?!") for word in _WORD.findall(text[:_MOST_CHARACTERS])]
