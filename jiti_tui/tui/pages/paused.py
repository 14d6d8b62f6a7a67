"""The stage of a pause: conditions by level, the live restarts with the suggestion first, the stack."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import Pause, PauseLevel, Snapshot
from jiti_tui.tui.pages.other_answers import about_other, other_of, other_rows, others_of
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.pages.restarts import (
    SUGGESTION,
    choices_of,
    outer_row,
    past_rows,
    restart_rows,
    suggested_forms,
    suggestion_rows,
)
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.stack import details, frame_identity, frame_line, frame_looked_at, frames_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity, Inside, Pane
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_TYPE_CELLS = 24
_CONDITION_ROWS = 6
"""Of a longer report the first rows stand above the restarts, and all of it below: digits choose what is seen."""


def paused(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of the pause: of its innermost level, or of an outer one that is only read."""
    pause = scene.stage.pause or Pause((), ())
    level = looked_at(scene)
    if level is not None and level is not pause.levels[-1]:
        return _outer(scene, pause, level, paper, height)
    return _innermost(scene, pause, paper, height)


def looked_at(scene: Scene) -> PauseLevel | None:
    """Return the level of the pause that the operator looks at, None where nothing is paused."""
    levels = scene.stage.pause.levels if scene.stage.pause is not None else ()
    if not levels:
        return None
    wanted = scene.view.looks(scene.stage_name).level
    return next((level for level in levels if level.level == wanted), levels[-1])


def _innermost(scene: Scene, pause: Pause, paper: Paper, height: int) -> Page:
    snapshot, name = scene.stage, scene.stage_name
    inside = scene.view.looks(name)
    place = scene.view.place(Pane.STAGE, name)
    frames, others = range(len(pause.frames)), others_of(snapshot)
    known = [*choices_of(pause.restarts), *(row.number for row in others), *map(frame_identity, frames)]
    cursor = cursor_of([(identity, 0) for identity in known], place)
    level = pause.levels[-1].level if pause.levels else 0
    conditions, whole = _conditions(pause, paper)
    lines = [_heading(pause, paper), *conditions]
    lines.append(paper.heading(f"Restarts of level {level}", "what if"))
    choices: list[tuple[Identity, int]] = [(SUGGESTION, len(lines))]
    lines += suggestion_rows(snapshot, paper, scene.now)
    for digit, restart in enumerate(pause.restarts):
        choices.append((restart.id, len(lines)))
        lines += restart_rows(restart, digit, snapshot, paper, selected=restart.id == cursor)
    lines += outer_row(pause.levels, paper)
    choices += [(row.number, len(lines) + index) for index, row in enumerate(others, start=1)]
    lines += other_rows(others, snapshot, paper)
    other = other_of(cursor, snapshot)
    lines += _suggestion(snapshot, paper) if other is None else about_other(other, snapshot, paper)
    _add_stack("Stack", pause, frames, lines, choices, inside, paper)
    at = dict(choices)[cursor if cursor is not None else SUGGESTION]
    if scene.view.front is Pane.STAGE:
        lines[at] = paper.select(lines[at])
    lines += [*whole, *details(snapshot, inside, paper, height)]
    top = top_of(len(lines), height, place, None)
    return Page(name, "Paused", lines, choices, cursor, top, height, follows=False)


def _outer(scene: Scene, pause: Pause, level: PauseLevel, paper: Paper, height: int) -> Page:
    """The menu of a level on which others stand, as it was when it paused, and its stack, which stands still."""
    conditions, whole = _conditions(pause, paper, level)
    lines = [_heading(pause, paper), *conditions]
    lines.append(paper.heading(f"Restarts of level {level.level}, to be read", "] inner level"))
    lines += past_rows(level, paper)
    lines += paper.prose("They come back when the repair above is dropped: its menu has drop-repair.", Role.MUTED)
    name = scene.stage_name
    place, inside = scene.view.place(Pane.STAGE, name), scene.view.looks(name)
    choices: list[tuple[Identity, int]] = []
    _add_stack(f"Stack of level {level.level}", pause, frames_of(pause, level.level), lines, choices, inside, paper)
    frame = frame_looked_at(pause, inside)
    cursor = cursor_of(choices, place, frame_identity(frame) if frame is not None else None)
    if cursor is not None and scene.view.front is Pane.STAGE:
        at = dict(choices)[cursor]
        lines[at] = paper.select(lines[at])
    lines += [*whole, *details(scene.stage, inside, paper, height)]
    return Page(name, "Paused", lines, choices, cursor, top_of(len(lines), height, place, None), height, follows=False)


def _add_stack(
    title: str,
    pause: Pause,
    frames: range,
    lines: list[Line],
    choices: list[tuple[Identity, int]],
    inside: Inside,
    paper: Paper,
) -> None:
    """Add the frames of these indices, each a row to be selected."""
    if frames:
        lines.append(paper.heading(title, "t locals  v source"))
    for index in frames:
        choices.append((frame_identity(index), len(lines)))
        lines.append(frame_line(index, pause, paper, looked_at=index == frame_looked_at(pause, inside)))


def _heading(pause: Pause, paper: Paper) -> Line:
    return paper.heading("Conditions", "[ ] level" if len(pause.levels) > 1 else "")


def _conditions(pause: Pause, paper: Paper, read: PauseLevel | None = None) -> tuple[list[Line], list[Line]]:
    """One line a level, the innermost marked; of the one that is `read`, or else of the innermost, the whole report.

    A long report ends early there; then the second part has all of it, else nothing.
    """
    lines: list[Line] = []
    whole: list[Line] = []
    types = min(_TYPE_CELLS, max((len(level.type) for level in pause.levels), default=0)) + 2
    for level in pause.levels:
        innermost = level is pause.levels[-1]
        sign, role = (paper.glyphs.paused, Role.BAD) if innermost else (" ", Role.MUTED)
        in_full = level is read if read is not None else innermost
        where = f"  in repair {level.level}" if level.level else ""
        room = paper.width - 12 - types - len(where)
        lines.append(
            paper.line(
                paper.run(f" {sign} level {level.level}  ", role),
                paper.fit(level.type, types - 2, role),
                paper.run("  "),
                Run(paper.clip(level.condition, room), Role.STRONG if in_full else Role.MUTED),
                paper.run(where, Role.MUTED),
            )
        )
        if in_full and (len(level.condition) > room or "\n" in level.condition):
            report = paper.prose(level.condition, indent=3)
            lines += report[:_CONDITION_ROWS]
            if len(report) > _CONDITION_ROWS:
                left = f"  {paper.glyphs.ellipsis} {len(report) - _CONDITION_ROWS} more lines, below the stack"
                lines.append(paper.text(left, Role.MUTED))
                whole = [paper.heading(f"Condition of level {level.level}"), *report]
    return lines, whole


def _suggestion(snapshot: Snapshot, paper: Paper) -> list[Line]:
    """The whole of what `a` would do, and why: nothing is consented to unseen."""
    suggestion = snapshot.suggestion
    if suggestion is None:
        return []
    lines: list[Line] = []
    forms = suggested_forms(snapshot)
    if forms:
        lines += [paper.heading(f"{suggestion.kind.capitalize()} of the {speaker(snapshot)}"), *paper.lisp(forms)]
    elif len(" ".join(snapshot.suggested_arguments)) > paper.width - 25:
        lines.append(paper.heading("Its values"))
        for argument in snapshot.suggested_arguments:
            lines += paper.code(argument)
    if suggestion.rationale:
        lines += [paper.heading(f"The {speaker(snapshot)} says"), *paper.prose(suggestion.rationale)]
    return lines
