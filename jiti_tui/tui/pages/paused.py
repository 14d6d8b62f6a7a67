"""The stage of a pause: conditions by level, the live restarts with the suggestion first, the stack."""

from __future__ import annotations

from jiti_tui.engine.snapshot import FrameRow, Pause, RestartRow, Snapshot
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity, Pane
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

SUGGESTION = "a"
"""The row of the suggestion, above the restarts. It is there from the start, so that a late answer moves nothing."""

_NAME_CELLS = 15
_TYPE_CELLS = 24
_FRAME_CELLS = 38
_IDS_FROM = 80
"""Below this width the ids of the restarts are left out."""


def paused(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of the innermost pause."""
    snapshot, pause = scene.stage, scene.stage.pause
    if pause is None:
        pause = Pause((), (), ())
    name = scene.stage_name
    place = scene.view.place(Pane.STAGE, name)
    level = pause.levels[-1].level if pause.levels else 0
    lines = [paper.heading("Conditions"), *_conditions(pause, paper)]
    lines.append(paper.heading(f"Restarts of level {level}"))
    choices: list[tuple[Identity, int]] = [(SUGGESTION, len(lines))]
    lines += _suggested(snapshot, paper)
    for digit, restart in enumerate(pause.restarts):
        choices.append((restart.id, len(lines)))
        lines.append(_restart(digit, restart, paper))
    cursor = cursor_of(choices, place)
    at = dict(choices)[cursor if cursor is not None else SUGGESTION]
    if scene.view.front is Pane.STAGE:
        lines[at] = paper.select(lines[at])
    lines += _suggestion(snapshot, paper)
    if pause.frames:
        lines.append(paper.heading("Stack"))
    for frame in pause.frames:
        lines.append(_frame(frame, paper, Role.TEXT if frame is pause.frames[0] else Role.MUTED))
    top = top_of(len(lines), height, place, None)
    return Page(name, "Paused", lines, choices, cursor, top, height, follows=False)


def _conditions(pause: Pause, paper: Paper) -> list[Line]:
    lines: list[Line] = []
    types = min(_TYPE_CELLS, max((len(level.type) for level in pause.levels), default=0)) + 2
    for level in pause.levels:
        innermost = level is pause.levels[-1]
        sign, role = (paper.glyphs.paused, Role.BAD) if innermost else (" ", Role.MUTED)
        where = f"  in repair {level.level}" if level.level else ""
        room = paper.width - 12 - types - len(where)
        lines.append(
            paper.line(
                paper.run(f" {sign} level {level.level}  ", role),
                paper.fit(level.type, types - 2, role),
                paper.run("  "),
                Run(paper.clip(level.condition, room), Role.STRONG if innermost else Role.MUTED),
                paper.run(where, Role.MUTED),
            )
        )
        if innermost and (len(level.condition) > room or "\n" in level.condition):
            lines += paper.prose(level.condition, indent=3)
    return lines


def _row(key: str, restart: str, name: str, report: Line, paper: Paper) -> Line:
    ids = [paper.fit(restart, 5, Role.MUTED)] if paper.width >= _IDS_FROM else []
    return paper.line(paper.fit(f" {key} ", 3, Role.KEY), *ids, paper.fit(name, _NAME_CELLS, Role.STRONG), *report)


def _restart(digit: int, restart: RestartRow, paper: Paper) -> Line:
    takes = _takes(restart)
    left = 3 + (5 if paper.width >= _IDS_FROM else 0) + _NAME_CELLS
    room = paper.width - left - (len(takes) + 2 if takes else 1)
    report = (paper.fit(restart.report, room), paper.run(f" {takes}"))
    return _row(str(digit) if digit < 10 else "", restart.id, restart.name, report, paper)


def _takes(restart: RestartRow) -> str:
    if restart.most == 0:
        return ""
    if restart.least == restart.most:
        return f"takes {counted(restart.least, 'value')}"
    return f"takes {restart.least} or more values" if restart.most is None else f"takes up to {restart.most} values"


def _suggested(snapshot: Snapshot, paper: Paper) -> list[Line]:
    """Two lines, whether there is a suggestion or not: what arrives late moves no row."""
    who, suggestion = speaker(snapshot), snapshot.suggestion
    if suggestion is None:
        if not snapshot.proposer:
            waits = "there is no model to choose"
        elif snapshot.waiting is not None:
            waits = f"the {who} is asked again soon: p asks now"
        elif snapshot.proposer_busy:
            waits = f"the {who} is choosing"
        elif snapshot.held:
            waits = f"the {who} is held: p asks it"
        else:
            waits = f"the {who} has said nothing"
        return [_row("", "", "", (paper.run(waits, Role.MUTED),), paper), paper.blank()]
    name = suggestion.kind
    if snapshot.suggested_restart:
        restarts = snapshot.pause.restarts if snapshot.pause is not None else ()
        name = next((row.name for row in restarts if row.id == snapshot.suggested_restart), suggestion.kind)
    arguments = " ".join(snapshot.suggested_arguments)
    report = f"the {who}'s choice{', with' if arguments else ''}"
    below = arguments or (f"{counted(len(suggestion.body.splitlines()), 'line')}, below" if _forms(snapshot) else "")
    indent = 3 + (5 if paper.width >= _IDS_FROM else 0) + _NAME_CELLS
    return [
        _row(SUGGESTION, snapshot.suggested_restart, name, (paper.run(report),), paper),
        paper.line(paper.run(" " * indent), paper.fit(below, paper.width - indent - 1)),
    ]


def _forms(snapshot: Snapshot) -> str:
    suggestion = snapshot.suggestion
    return suggestion.body if suggestion is not None and not snapshot.suggested_restart else ""


def _suggestion(snapshot: Snapshot, paper: Paper) -> list[Line]:
    """The whole of what `a` would do, and why: nothing is consented to unseen."""
    suggestion = snapshot.suggestion
    if suggestion is None:
        return []
    lines: list[Line] = []
    forms = _forms(snapshot)
    if forms:
        lines += [paper.heading(f"{suggestion.kind.capitalize()} of the {speaker(snapshot)}"), *paper.code(forms)]
    elif len(" ".join(snapshot.suggested_arguments)) > paper.width - 25:
        lines.append(paper.heading("Its values"))
        for argument in snapshot.suggested_arguments:
            lines += paper.code(argument)
    if suggestion.rationale:
        lines += [paper.heading(f"The {speaker(snapshot)} says"), *paper.prose(suggestion.rationale)]
    return lines


def _frame(frame: FrameRow, paper: Paper, role: Role) -> Line:
    room = min(_FRAME_CELLS, paper.width // 2)
    place = paper.fit(frame.place, paper.width - room - 5, role)
    return paper.line(paper.run("   "), paper.fit(frame.call, room, role), paper.run(" "), place)
