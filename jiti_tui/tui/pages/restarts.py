"""The live restarts of a pause, the suggestion first, with what would come of each beside it."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.engine.interface.snapshot import PauseLevel, RestartRow, Snapshot
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.thinking import seconds_left
from jiti_tui.tui.pages.verdicts import Verdict
from jiti_tui.tui.pages.what_if import foreseen, innermost_level, outcome, trial_of_suggestion
from jiti_tui.tui.state.view import Identity
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

SUGGESTION = "a"
"""The row of the suggestion, above the restarts. It is there from the start, so that a late answer moves nothing."""

_KEY_CELLS, _ID_CELLS, _NAME_CELLS = 3, 5, 15
_OUTCOME_CELLS = 26
_ROOMY_OUTCOME_CELLS = 44
_ROOMY = 110
"""From this width on an outcome has more room."""
NARROW = 80
"""Below this width the ids are left out, and what a restart does stands below the selected one."""


def suggestion_rows(snapshot: Snapshot, paper: Paper, now: float) -> list[Line]:
    """Return two lines, whether there is a suggestion or not: what arrives late moves no row.

    `now` is in seconds since the epoch.
    """
    who, suggestion = speaker(snapshot), snapshot.suggestion
    if suggestion is None:
        return [_row("", "", "", [paper.run(_waits(snapshot, now), Role.MUTED)], paper), paper.blank()]
    name = suggestion.kind
    if snapshot.suggested_restart:
        restarts = snapshot.pause.restarts if snapshot.pause is not None else ()
        name = next((row.name for row in restarts if row.id == snapshot.suggested_restart), suggestion.kind)
    arguments = " ".join(snapshot.suggested_arguments)
    report = f"the {who}'s choice{', with' if arguments else ''}"
    forms = suggested_forms(snapshot)
    below = arguments or (f"{counted(len(forms.splitlines()), 'line')}, below" if forms else "")
    trial = trial_of_suggestion(snapshot)
    stands = outcome(trial, innermost_level(snapshot), paper.glyphs) if trial is not None else None
    indent = _report_column(paper)
    return [
        _row(SUGGESTION, snapshot.suggested_restart, name, _told(report, stands, paper), paper),
        paper.line(paper.run(" " * indent), paper.fit(below, paper.width - indent - 1)),
    ]


def restart_rows(restart: RestartRow, digit: int, snapshot: Snapshot, paper: Paper, *, selected: bool) -> list[Line]:
    """Return the line of a restart; on narrow paper also what the selected one does."""
    stands = foreseen(restart, snapshot, paper.glyphs)
    key = str(digit) if digit < 10 else ""
    lines = [_row(key, restart.id, restart.name, _told(restart.report, stands, paper), paper)]
    if selected and paper.width < NARROW:
        lines.append(paper.line(paper.run(" " * _KEY_CELLS), paper.fit(restart.report, paper.width - _KEY_CELLS - 1)))
    return lines


def answer_row(restart: str, name: str, report: str, stands: Verdict, paper: Paper) -> Line:
    """Return the line of an answer that no digit chooses."""
    return _row("", restart, name, _told(report, stands, paper), paper)


def past_rows(level: PauseLevel, paper: Paper) -> list[Line]:
    """Return the menu of a level that others stand on: it is read, and nothing of it can be chosen."""
    lines: list[Line] = []
    for restart in level.restarts:
        report = [paper.fit(restart.report, paper.width - _report_column(paper) - 1, Role.MUTED)]
        lines.append(_row("", restart.id, restart.name, report, paper, Role.MUTED))
    return lines


def outer_row(levels: Sequence[PauseLevel], paper: Paper) -> list[Line]:
    """Return the line that leads to the menu of the level below the innermost, if there is one."""
    if len(levels) < 2 or not levels[-2].restarts:
        return []
    outer = levels[-2]
    told = f"{counted(len(outer.restarts), 'restart')} of level {outer.level}: they drop repair {levels[-1].level}"
    ids = [paper.fit(outer.restarts[0].id, _ID_CELLS, Role.MUTED)] if paper.width >= NARROW else []
    rest = paper.fit(told, paper.width - _KEY_CELLS - _ID_CELLS - 1, Role.MUTED)
    return [paper.line(paper.fit(" [", _KEY_CELLS, Role.KEY), *ids, rest)]


def suggested_forms(snapshot: Snapshot) -> str:
    """Return the forms of a suggested repair, "" where a restart is suggested."""
    suggestion = snapshot.suggestion
    return suggestion.body if suggestion is not None and not snapshot.suggested_restart else ""


def choices_of(restarts: Sequence[RestartRow]) -> list[Identity]:
    """Return what the rows of the menu are about, in order."""
    return [SUGGESTION, *(restart.id for restart in restarts)]


def _waits(snapshot: Snapshot, now: float) -> str:
    who = speaker(snapshot)
    if not snapshot.proposer:
        return "there is no model to choose"
    if snapshot.waiting is not None:
        return f"the {who} is asked again in {seconds_left(snapshot.waiting, now)} s: p asks now"
    if snapshot.proposer_busy:
        return f"the {who} is choosing"
    if any(row.answer and not row.ended for row in snapshot.trials):
        return f"the {who}'s answers are being tried"
    if snapshot.held:
        return f"the {who} is held: p asks it"
    return f"the {who} has said nothing"


def _report_column(paper: Paper) -> int:
    return _KEY_CELLS + (_ID_CELLS if paper.width >= NARROW else 0) + _NAME_CELLS


def _told(report: str, stands: Verdict | None, paper: Paper) -> list[Run]:
    """What a restart does, and what would come of it; on narrow paper the latter alone."""
    room = paper.width - _report_column(paper)
    if paper.width < NARROW:
        return [_foreseen(stands, room - 1, paper)] if stands is not None else [paper.fit(report, room - 1)]
    outcome_cells = _ROOMY_OUTCOME_CELLS if paper.width >= _ROOMY else _OUTCOME_CELLS
    foretold = [] if stands is None else [_foreseen(stands, outcome_cells - 1, paper)]
    return [paper.fit(report, room - outcome_cells), paper.run(" "), *foretold]


def _foreseen(stands: Verdict, room: int, paper: Paper) -> Run:
    return Run(paper.clip(f"{stands.sign} {stands.word}", room), stands.role)


def _row(key: str, restart: str, name: str, told: list[Run], paper: Paper, role: Role = Role.STRONG) -> Line:
    # The id is of the role of the name: each run of a role is bytes on the wire.
    ids = [paper.fit(restart, _ID_CELLS, role)] if paper.width >= NARROW else []
    # A name that fills its column still stands apart from what follows.
    named = [paper.fit(name, _NAME_CELLS - 1, role), paper.run(" ")]
    return paper.line(paper.fit(f" {key} ", _KEY_CELLS, Role.KEY), *ids, *named, *told)
