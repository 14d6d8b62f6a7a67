"""Lines that differ between two texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest

from jiti_tui.engine.interface.snapshot import Change

LONGEST_COMPARED = 600
"""Lines of a text that are compared one by one; longer ones are shown as removed and added."""

SAME_AROUND = 3
"""Unchanged lines kept on each side of a change when a difference is folded."""

DiffLine = tuple[str, str]
"""A sign, one of "+", "-", " " and "@" (lines left out), and a line's text."""


@lru_cache(maxsize=64)
def difference(change: Change) -> tuple[DiffLine, ...]:
    """Return the lines of `change`, removed ones before added ones."""
    before, after = change.before.splitlines(), change.after.splitlines()
    if max(len(before), len(after)) > LONGEST_COMPARED:
        return tuple([("-", line) for line in before] + [("+", line) for line in after])
    lines: list[DiffLine] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in before[start:end]]
        else:
            lines += [("-", line) for line in before[start:end]]
            lines += [("+", line) for line in after[new_start:new_end]]
    return tuple(lines)


def fold(lines: Sequence[DiffLine]) -> Iterator[DiffLine]:
    """Yield `lines` without the unchanged ones that are far from a change."""
    changed = [index for index, (sign, _) in enumerate(lines) if sign != " "]
    near = {index + offset for index in changed for offset in range(-SAME_AROUND, SAME_AROUND + 1)}
    left_out = 0
    for index, line in enumerate(lines):
        if index in near or index == 0:
            if left_out:
                yield "@", f"{left_out} lines the same"
            left_out = 0
            yield line
        else:
            left_out += 1
    if left_out:
        yield "@", f"{left_out} lines the same"


def paired(lines: Iterable[DiffLine]) -> Iterator[tuple[DiffLine | None, DiffLine | None]]:
    """Yield `lines` as they stand side by side: what was removed beside what was added in its place."""
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    for line in lines:
        if line[0] in "+-":
            (removed if line[0] == "-" else added).append(line)
            continue
        yield from zip_longest(removed, added)
        removed, added = [], []
        yield line, line
    yield from zip_longest(removed, added)
