"""How a definition or a datum differs, as lines: one below the other, or side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from jiti_tui.engine.interface.snapshot import Change, ChangeSign
from jiti_tui.tui.text.diff import DiffLine, difference, fold, paired
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.literal import TAB_CELLS
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

SIDE_BY_SIDE = 120
"""From this width of the paper on, that of the stage at 160 columns, the texts stand beside one another."""

_ROLES = {"+": Role.GOOD, "-": Role.BAD, " ": Role.MUTED, "@": Role.MUTED}


def in_brief(change: Change, paper: Paper) -> list[Line]:
    """Return the difference without lines far from a change, each cut at the edge."""
    lines = fold(difference(change))
    if not _side_by_side(change, paper):
        return [diff_line(line, paper) for line in lines]
    half = _half(paper)
    return [_beside(_cut(left, half), _cut(right, half), paper) for left, right in paired(lines)]


def in_full(change: Change, paper: Paper) -> list[Line]:
    """Return all of the difference, in as many lines as it takes."""
    lines = difference(change)
    if not _side_by_side(change, paper):
        return [row for line in lines for row in wrapped_diff_line(line, paper)]
    half = _half(paper)
    rows: list[Line] = []
    for left, right in paired(lines):
        sides = zip_longest(_whole(left, half), _whole(right, half), fillvalue=half.blank())
        rows += [_beside(one, other, paper) for one, other in sides]
    return rows


def diff_line(line: DiffLine, paper: Paper) -> Line:
    """Return a line of a difference, its sign first, cut at the edge."""
    sign, text = line
    mark = paper.glyphs.ellipsis if sign == "@" else sign
    return paper.line(paper.run(" "), paper.fit(mark + text.expandtabs(TAB_CELLS), paper.width - 2, _ROLES[sign]))


def wrapped_diff_line(line: DiffLine, paper: Paper) -> list[Line]:
    """Return all of a line of a difference, in as many lines as it takes."""
    sign, text = line
    return paper.code(sign + text.expandtabs(TAB_CELLS), _ROLES[sign])


def _side_by_side(change: Change, paper: Paper) -> bool:
    """What is new or gone has no other side."""
    return paper.width >= SIDE_BY_SIDE and change.sign is ChangeSign.CHANGED


def _half(paper: Paper) -> Paper:
    return paper.narrowed(paper.width // 2)


def _cut(line: DiffLine | None, half: Paper) -> Line:
    return diff_line(line, half) if line is not None else half.blank()


def _whole(line: DiffLine | None, half: Paper) -> list[Line]:
    return wrapped_diff_line(line, half) if line is not None else []


def _beside(left: Iterable[Run], right: Iterable[Run], paper: Paper) -> Line:
    return paper.line(*left, *right)
