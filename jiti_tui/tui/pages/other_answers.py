"""The other answers of a model to a pause: the operator may take one of them instead of the suggestion."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.pages.restarts import answer_row
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.what_if import innermost_level, outcome
from jiti_tui.tui.state.view import Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.words import counted


def others_of(snapshot: Snapshot) -> list[TrialRow]:
    """Return the answers that are tried beside the suggestion, the best first."""
    suggested = snapshot.suggestion.body if snapshot.suggestion is not None else ""
    return sorted((row for row in snapshot.trials if row.answer and row.body != suggested), key=lambda row: row.rank)


def other_of(cursor: Identity | None, snapshot: Snapshot) -> TrialRow | None:
    """Return the answer that the row of the `cursor` is about, None where it is about none."""
    return next((row for row in others_of(snapshot) if row.number == cursor), None)


def other_rows(others: Sequence[TrialRow], snapshot: Snapshot, paper: Paper) -> list[Line]:
    """Return a heading and a line for each of `others`: what it does, and what would come of it; nothing for none."""
    if not others:
        return []
    level = innermost_level(snapshot)
    lines: list[Line] = [paper.heading(f"Other answers of the {speaker(snapshot)}", "Enter takes one")]
    for row in others:
        restart, name = ("", "repair") if row.forms else (row.restart, row.name)
        lines.append(answer_row(restart, name, _told(row), outcome(row, level, paper.glyphs), paper))
    return lines


def about_other(row: TrialRow, snapshot: Snapshot, paper: Paper) -> list[Line]:
    """Return the whole of an answer, and why it is given: nothing is consented to unseen."""
    lines: list[Line] = []
    if row.forms:
        lines += [paper.heading("The selected repair"), *paper.lisp(row.forms)]
    elif row.arguments:
        lines.append(paper.heading("The selected values"))
        for argument in row.arguments:
            lines += paper.code(argument)
    said = next((said.rationale for said in reversed(snapshot.proposals) if said.body == row.body), "")
    return [*lines, paper.heading(f"The {speaker(snapshot)} says"), *paper.prose(said)] if said else lines


def _told(row: TrialRow) -> str:
    if not row.forms:
        return f"with {' '.join(row.arguments)}" if row.arguments else "without a value"
    size = counted(len(row.forms.splitlines()), "line")
    return f"{size}, then {row.restart} {row.name}" if row.restart else size
