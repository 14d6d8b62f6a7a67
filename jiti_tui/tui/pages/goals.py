"""The goals and invariants, those that decide first."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import CheckRow
from jiti_tui.tui.pages.matching import NO_MATCH, Matching
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.pages.verdicts import NAME_COLUMN, gained, goals_after, goals_met, lost, mark, seen
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity, Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

EMPTY = "No goals yet. o opens goals.lisp; saving loads them."
_DETAIL_COLUMN = 45
_SEEN = "seen: "
_ROOMY = 72
"""From this width on a check and the values seen share a line."""


_matching: Matching[CheckRow] = Matching(
    lambda check: (check.name, check.kind.value, check.file, check.detail, check.candidate_detail)
)


def goals(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the page of the goals pane."""
    found = _matching(scene.snapshot.checks, scene.sought(Pane.GOALS))
    checks = sorted(found, key=lambda check: not check.decides)
    place = scene.view.place(Pane.GOALS, "goals")
    lines: list[Line] = []
    choices: list[tuple[Identity, int]] = []
    for check in checks:
        choices.append((identity(check), len(lines)))
        lines += _lines(check, paper)
    cursor = cursor_of(choices, place)
    line = dict(choices).get(cursor) if cursor is not None else None
    if line is not None and scene.view.front is Pane.GOALS:
        lines[line] = paper.select(lines[line])
    if not checks:
        lines = paper.prose(_empty(scene), Role.MUTED)
    return Page(
        name="goals",
        title=title(scene),
        aside=_after(scene),
        lines=lines,
        choices=choices,
        cursor=cursor,
        top=top_of(len(lines), height, place, line),
        height=height,
    )


def title(scene: Scene) -> str:
    """Return "Goals 2/4", with what is sought."""
    met, total = goals_met(scene.snapshot.checks)
    sought = scene.sought(Pane.GOALS)
    return f"Goals {met}/{total}{f' /{sought}' if sought else ''}"


def _empty(scene: Scene) -> str:
    if scene.snapshot.checks:
        return NO_MATCH
    return "Goals are known once the world has started." if scene.snapshot.phase is Phase.STARTING else EMPTY


def identity(check: CheckRow) -> str:
    """Return what tells a check from all others."""
    return f"{check.kind} {check.name}"


def _after(scene: Scene) -> str:
    after, (_, total) = goals_after(scene.snapshot.checks), goals_met(scene.snapshot.checks)
    return f"{after}/{total} if accepted" if after is not None else ""


def _lines(check: CheckRow, paper: Paper) -> list[Line]:
    role = Role.TEXT if check.decides else Role.MUTED
    roomy = paper.width >= _ROOMY
    room = paper.width - (_DETAIL_COLUMN if roomy else NAME_COLUMN) - 1
    flips = gained(check) or lost(check)
    detail = seen(check, paper.glyphs, room if roomy or flips else room - len(_SEEN))
    name_cells = (_DETAIL_COLUMN if roomy and detail else paper.width) - NAME_COLUMN - 1
    named = [mark(check, paper), paper.fit(check.name, name_cells, role)]
    if not detail:
        return [paper.line(*named)]
    if roomy:
        return [paper.line(*named, paper.run(" "), paper.fit(detail, room, Role.MUTED))]
    below = paper.fit(detail if flips else _SEEN + detail, room, Role.MUTED)
    return [paper.line(*named), paper.line(paper.run(" " * NAME_COLUMN), below)]
