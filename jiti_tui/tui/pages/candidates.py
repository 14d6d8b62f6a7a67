"""The candidates of which the operator chooses one: several answers to one view, each tried."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import ProposalRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.pages.page import cursor_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane

IDLE = (Phase.NEW, Phase.HELD, Phase.MET, Phase.RECOVERED, Phase.BLOCKED)
"""Phases in which nobody is at work and nothing is proposed."""


def candidates_of(snapshot: Snapshot) -> list[TrialRow]:
    """Return the trials that are answers to an idle world, oldest first."""
    return [row for row in snapshot.trials if not row.restart]


def is_choice(snapshot: Snapshot) -> bool:
    """Say whether candidates wait for the operator: several, or those that he had tried without being asked.

    A proposal that waits is one of them, or it is shown alone: it must not be hidden by others.
    """
    rows, suggestion = candidates_of(snapshot), snapshot.suggestion
    if snapshot.phase is not Phase.ASKS or suggestion is None:
        return bool(rows) and snapshot.phase in IDLE
    return len(rows) > 1 and any(row.forms == suggestion.body for row in rows)


def numbered(snapshot: Snapshot) -> Sequence[tuple[int, TrialRow]]:
    """Return the candidates, each with the number that it bears on the screen.

    The proposer's were ranked before they were shown, the best first. The operator's own follow as he had them tried:
    what they lead to moves no row.
    """
    rows = candidates_of(snapshot)
    ranked = sorted((row for row in rows if not row.own), key=lambda row: row.rank)
    return list(enumerate([*ranked, *(row for row in rows if row.own)], start=1))


def tried(forms: str, snapshot: Snapshot) -> TrialRow | None:
    """Return the latest trial of just these forms, as a proposal or as a repair."""
    return next((row for row in reversed(snapshot.trials) if row.forms == forms), None)


def chosen(scene: Scene) -> tuple[int, TrialRow] | None:
    """Return the candidate under the cursor with its number, the best one at first; None where there is none."""
    rows = numbered(scene.stage)
    place = scene.view.place(Pane.STAGE, scene.stage_name)
    cursor = cursor_of([(row.number, 0) for _, row in rows], place)
    return next(((number, row) for number, row in rows if row.number == cursor), None)


def proposal_of(candidate: TrialRow, snapshot: Snapshot) -> ProposalRow | None:
    """Return the proposal whose forms `candidate` is, None where the log has it no more."""
    return next((row for row in reversed(snapshot.proposals) if row.body == candidate.forms), None)
