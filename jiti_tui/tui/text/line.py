"""Lines of the screen: runs of literal text with a role each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import get_character_cell_size, set_cell_size

from jiti_tui.tui.text.literal import Literal, cells
from jiti_tui.tui.text.roles import Role


class Run(NamedTuple):
    """Text of one role."""

    text: Literal
    role: Role


Line = tuple[Run, ...]


def width_of(runs: Iterable[Run]) -> int:
    """Return how many cells `runs` take."""
    return sum(cells(run.text) for run in runs)


def fill(runs: Iterable[Run], width: int, role: Role = Role.TEXT) -> Line:
    """Return a line of exactly `width` cells: `runs` cut there, or padded with `role`. Runs of one role are joined."""
    filled: list[Run] = []
    left = width
    for run in runs:
        size = min(left, cells(run.text))
        if size > 0:
            _append(filled, Run(cut(run.text, size), run.role))
            left -= size
    if left > 0:
        _append(filled, Run(Literal(" " * left), role))
    return tuple(filled)


def cut(text: Literal, width: int) -> Literal:
    """Return the first `width` cells of `text`, padded where it is shorter or a wide character does not fit."""
    return Literal(set_cell_size(text, width))


def chopped(runs: Iterable[Run], width: int) -> list[list[Run]]:
    """Return `runs` in lines of at most `width` cells; at least one line, if an empty one."""
    lines: list[list[Run]] = [[]]
    left = width
    for run in runs:
        rest = run.text
        while rest:
            part = cut_at_most(rest, left)
            if not part and left < width:
                lines.append([])
                left = width
                continue
            part = part or Literal(rest[:1])
            lines[-1].append(Run(part, run.role))
            left -= cells(part)
            rest = Literal(rest[len(part) :])
    return lines


def cut_at_most(text: Literal, width: int) -> Literal:
    """Return the longest beginning of `text` that fits `width` cells."""
    if len(text) <= width and text.isascii():
        return text
    used = 0
    for end, character in enumerate(text):
        used += get_character_cell_size(character)
        if used > width:
            return Literal(text[:end])
    return text


def recolour(line: Line, role: Role) -> Line:
    """Return `line` in one role."""
    return (Run(Literal("".join(run.text for run in line)), role),)


def _append(runs: list[Run], run: Run) -> None:
    """Blanks look the same in all roles without a background, so they join their neighbour: fewer runs, fewer bytes."""
    last = runs[-1] if runs else None
    if last is not None and (last.role is run.role or (_is_blank(run) and last.role not in _FILLED)):
        runs[-1] = Run(Literal(last.text + run.text), last.role)
    elif last is not None and _is_blank(last) and run.role not in _FILLED:
        runs[-1] = Run(Literal(last.text + run.text), run.role)
    else:
        runs.append(run)


def _is_blank(run: Run) -> bool:
    return run.text.isspace() and run.role not in _FILLED


_FILLED = frozenset({Role.BADGE, Role.BADGE_BUSY, Role.BADGE_MUTED, Role.SELECTION, Role.ALARM})
