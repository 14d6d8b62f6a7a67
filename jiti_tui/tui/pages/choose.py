"""The stage of several candidates: one row each, the checks in which they differ, the selected one's difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jiti_tui.engine.interface.snapshot import Change, CheckRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.pages.candidates import chosen, numbered, proposal_of
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.pages.reading import span
from jiti_tui.tui.pages.review import differences
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.spent import tokens_of
from jiti_tui.tui.pages.verdicts import Verdict, verdict
from jiti_tui.tui.pages.what_if import gains_and_losses, outcome
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity, Pane
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

Numbered = Sequence[tuple[int, TrialRow]]

_ROOMY = 100
"""From this width on it is told how long each took."""
_COLUMNS = (
    ("goals", 20),
    ("invariants", 13),
    ("definitions", 12),
    ("data", 6),
    ("warnings", 10),
    ("time", 7),
    ("tokens", 7),
)
_KEY_CELLS = 5
_VERDICT_CELLS = 11
_FEWEST_NAME_CELLS = 24
_MOST_CHECKS = 8


def choose(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of the candidates, the best first."""
    rows, name = numbered(scene.stage), scene.stage_name
    selected = chosen(scene)
    marks = scene.view.marked(name)
    lines = [paper.heading(f"{counted(len(rows), 'candidate')} for revision {scene.stage.revision + 1}", _aside(marks))]
    lines.append(_header(paper))
    choices: list[tuple[Identity, int]] = []
    for number, row in rows:
        choices.append((row.number, len(lines)))
        line = _row(number, row, scene.stage, paper, marked=row.number in marks)
        is_selected = selected is not None and row is selected[1] and scene.view.front is Pane.STAGE
        lines.append(paper.select(line) if is_selected else line)
    lines += _where_they_differ(rows, selected[0] if selected is not None else 0, paper)
    top = top_of(len(lines), height, scene.view.place(Pane.STAGE, name), None)
    if selected is not None:
        lines += _selected(*selected, scene, paper, len(lines), height)
        top = top_of(len(lines), height, scene.view.place(Pane.STAGE, name), None)
    cursor = selected[1].number if selected is not None else None
    return Page(name, "Choose", lines, choices, cursor, top, height, follows=False)


def _aside(marks: Sequence[int]) -> str:
    return "d compares the marked" if len(marks) == 2 else "Space marks two to compare"


def _header(paper: Paper) -> Line:
    titles = [paper.fit(title, cells, Role.MUTED) for title, cells in _fitting(paper)]
    return paper.line(paper.run(" " * _KEY_CELLS), *titles)


def _fitting(paper: Paper) -> Sequence[tuple[str, int]]:
    """The columns that fit; what does not drops from the right."""
    room = paper.width - _KEY_CELLS
    shown = [column for column in _COLUMNS if column[0] != "time" or paper.width >= _ROOMY]
    while len(shown) > 1 and sum(cells for _, cells in shown) > room:
        shown.pop()
    return shown


def _row(number: int, row: TrialRow, snapshot: Snapshot, paper: Paper, *, marked: bool) -> Line:
    # The number is of the role of what follows: each run of a role is bytes on the wire.
    key = f" {number} {'*' if marked else ' '}"
    stands = outcome(row, None, paper.glyphs)
    if row.state is not TrialState.VALUE:
        told = f"{stands.sign} {stands.word}" + (f": {row.text}" if row.state is TrialState.PAUSED else "")
        return paper.line(
            paper.fit(key, _KEY_CELLS, stands.role), paper.fit(told, paper.width - _KEY_CELLS - 1, stands.role)
        )
    gains, losses = gains_and_losses(row)
    glyphs = paper.glyphs
    sign, role = (glyphs.gained, Role.GOOD) if gains else (glyphs.same, Role.TEXT)
    if losses or row.broken:
        sign, role = (glyphs.lost if losses else glyphs.bad), Role.BAD
    said = proposal_of(row, snapshot)
    cells = {
        "goals": (f"{sign} gains {gains}, loses {losses}", role),
        "invariants": (f"{len(row.broken)} BROKEN", Role.BAD) if row.broken else ("hold", Role.TEXT),
        "definitions": (_counts(row.definitions), Role.TEXT),
        "data": (_counts(row.data), Role.TEXT),
        "warnings": (str(len(row.warnings)), Role.TEXT),
        "time": (f"{row.seconds:.1f} s", Role.TEXT),
        "tokens": ((tokens_of(said) if said is not None else "") or "-", Role.TEXT),
    }
    begin = paper.fit(key, _KEY_CELLS, role)
    return paper.line(begin, *(paper.fit(cells[name][0], width, cells[name][1]) for name, width in _fitting(paper)))


def _counts(changes: Sequence[Change]) -> str:
    signs = [change.sign.value for change in changes]
    return " ".join(f"{sign}{signs.count(sign)}" for sign in dict.fromkeys(signs)) or "="


def _where_they_differ(rows: Numbered, selected: int, paper: Paper) -> list[Line]:
    """A line for each check that is not the same in all, a column for now and for each candidate that was checked.

    Where they are too many for the width, the candidate numbered `selected` has the last column.
    """
    checked = [(number, row) for number, row in rows if row.checks]
    most = max(0, (paper.width - _FEWEST_NAME_CELLS) // _VERDICT_CELLS - 1)
    shown = checked[:most]
    if not shown:
        return []
    shown[-1:] = [each for each in checked[most:] if each[0] == selected] or shown[-1:]
    columns = ["now", *(f"{number}" for number, _ in shown)]
    name_cells = paper.width - len(columns) * _VERDICT_CELLS - 1
    titles = [paper.fit(f"  {title}", _VERDICT_CELLS, Role.MUTED) for title in columns]
    left = paper.fit(" Where they differ", name_cells + 1, Role.STRONG)
    lines: list[Line] = [paper.line(left, *titles)]
    same = 0
    differing = 0
    for index, check in enumerate(shown[0][1].checks):
        if not check.decides:
            continue
        stands = [_now(check, paper.glyphs), *(_then(row, index, check, paper.glyphs) for _, row in shown)]
        if len({_passes(each, index, check) for each in (None, *(row for _, row in checked))}) == 1:
            same += 1
            continue
        differing += 1
        if differing <= _MOST_CHECKS:
            cells = [paper.fit(f"{each.sign} {each.word}", _VERDICT_CELLS, each.role) for each in stands]
            lines.append(paper.line(paper.run(" "), paper.fit(check.name, name_cells), *cells))
    if differing > _MOST_CHECKS:
        lines.append(paper.text(f"{differing - _MOST_CHECKS} more differ: d", Role.MUTED))
    if same:
        told = "1 check is" if same == 1 else f"{same} checks are"
        lines.append(paper.text(f"{paper.glyphs.same} {told} the same in all", Role.MUTED))
    if len(shown) < len(checked):
        hidden = len(checked) - len(shown)
        lines.append(paper.text(f"{hidden} more without a column; the selected has the last", Role.MUTED))
    return lines


def _passes(row: TrialRow | None, index: int, check: CheckRow) -> bool | None:
    if row is None:
        return check.ok is True
    return row.checks[index].candidate_ok is True if index < len(row.checks) else None


def _now(check: CheckRow, glyphs: Glyphs) -> Verdict:
    return _quiet(verdict(replace(check, candidate_ok=None), glyphs))


def _quiet(stands: Verdict) -> Verdict:
    """Colour is for what would be bad; signs and words tell the rest."""
    return stands if stands.role is Role.BAD else replace(stands, role=Role.TEXT)


def _then(row: TrialRow, index: int, check: CheckRow, glyphs: Glyphs) -> Verdict:
    known = row.checks[index] if index < len(row.checks) else check
    return _quiet(verdict(known, glyphs))


def _selected(number: int, row: TrialRow, scene: Scene, paper: Paper, before: int, height: int) -> list[Line]:
    """The difference that the selected candidate makes, or its forms where it makes none; and what was said with it."""
    place = scene.view.place(Pane.STAGE, scene.stage_name)
    changes = (*row.definitions, *row.data)
    lines = differences(changes, paper) if changes else paper.lisp(row.forms)
    top = top_of(before + 1 + len(lines), height, place, None)
    shown = span(before + 1, len(lines), top, height)
    title = f"Difference of {number} to revision {scene.stage.revision}" if changes else f"Forms of {number}"
    section: list[Line] = [paper.heading(title, shown), *lines]
    said = proposal_of(row, scene.stage)
    if said is not None and said.rationale:
        section += [paper.heading(f"The {speaker(scene.stage)} says"), *paper.prose(said.rationale)]
    return section
