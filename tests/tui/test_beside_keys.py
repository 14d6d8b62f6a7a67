"""Trying forms beside others before one of them is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.keyboard import ASKS, HELD, NEW, PAUSED, Make, keys
from fakes.session import FOOD_RATE
from fakes.states import CANDIDATES

from jiti_tui.engine.interface.commands import (
    Painted,
    Stop,
    StopLooking,
    TakeSuggestion,
    TakeTrial,
    TryProposals,
    WhatIf,
)
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Pane, Sheet

OWN = "(defun food-rate (kind) 0.03)"


def text(shown: Shown) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in shown.page.lines]


@pytest.fixture
def own(states: dict[str, Snapshot]) -> Snapshot:
    """Two forms of the operator's that are tried while the session is held."""
    rows = tuple(replace(row, own=True) for row in states["choose"].trials[:2])
    return replace(states["held"], trials=rows)


@pytest.mark.parametrize(("state", "painted"), [("held", HELD), ("new", NEW)])
def test_what_is_typed_for_keeps_is_tried_first(state: str, painted: Painted, shown: Make) -> None:
    sent, _, after = keys(shown(state), "!", f"text {OWN}", "ctrl+t")
    assert sent == [TryProposals(painted, (OWN,))]
    assert after.scene.view.typed.text == OWN
    trial = TrialRow(1, "", "", (), OWN, own=True)
    waits = shown(replace(after.scene.stage, trials=(trial,)), after.scene.view)
    assert not keys(waits, "ctrl+t")[0]


def test_a_draft_is_tried_beside_the_proposal_that_waits(shown: Make) -> None:
    sent, _, after = keys(shown("asks"), "e", "text ;", "Esc", "w")
    assert sent == [TryProposals(ASKS, (FOOD_RATE, f";{FOOD_RATE}"))]
    assert (after.scene.sheet, after.scene.view.draft is not None) == (None, True)
    assert keys(shown("asks"), "w")[0] == [TryProposals(ASKS, (FOOD_RATE,))]
    assert not keys(shown("ready"), "e", "Esc", "w")[0]


def test_in_a_pause_a_draft_is_tried_as_a_repair(shown: Make, states: dict[str, Snapshot]) -> None:
    sent, step, after = keys(shown("paused"), "e", "text ;", "Esc", "w")
    assert sent == [WhatIf(PAUSED, "1/0", (), f";{FOOD_RATE}")]
    assert after.scene.sheet is Sheet.DRAFT
    trial = TrialRow(9, "1/0", "continue", (), f";{FOOD_RATE}", TrialState.VALUE)
    told = shown(replace(states["paused"], trials=(trial,)), step.view)
    assert text(told)[1] == " = value, no change"


def test_a_proposal_of_the_log_is_tried_again(shown: Make) -> None:
    sent, step, _ = keys(shown("held"), "F5", "w")
    assert [type(command) for command in sent] == [TryProposals]
    assert step.view.front is Pane.STAGE


def test_what_would_come_of_the_proposal_that_waits_stands_below_it(shown: Make, states: dict[str, Snapshot]) -> None:
    trial = replace(states["choose"].trials[1], own=True)
    tried = shown(replace(states["asks"], trials=(trial,)))
    assert " ▲ value: gains 2" in text(tried)
    assert keys(tried, "d")[2].scene.sheet is Sheet.TRIAL
    assert keys(tried, "a")[0] == [TakeSuggestion(ASKS)]


def test_a_proposal_that_was_not_tried_is_not_hidden_by_what_was(shown: Make, states: dict[str, Snapshot]) -> None:
    rows = tuple(replace(row, own=True, forms=f";{row.forms}") for row in states["choose"].trials[:2])
    asks = shown(replace(states["asks"], trials=rows))
    assert text(asks)[0].startswith(" Proposal: evaluate ")
    assert keys(asks, "w")[0] == [TryProposals(ASKS, (FOOD_RATE,))]


def test_own_candidates_are_chosen_as_the_models_are(shown: Make, own: Snapshot) -> None:
    choice = shown(own)
    assert text(choice)[0].startswith(" 2 candidates for revision 3 ")
    assert keys(choice, "2")[0] == []
    assert keys(choice, "2", "2")[0] == [TakeTrial(HELD, 2)]
    assert keys(choice, "r")[0] == [Stop()]
    _, _, edited = keys(choice, "e", "text ;", "Esc")
    assert edited.scene.view.draft is not None
    assert edited.scene.view.draft.form.text == f";{CANDIDATES[0]}"
    sent, _, _ = keys(edited, "w")
    assert sent == [TryProposals(HELD, (f";{CANDIDATES[0]}",))]


def test_what_own_candidates_lead_to_moves_no_row(shown: Make, own: Snapshot) -> None:
    running = tuple(TrialRow(row.number, "", "", (), row.forms, own=True) for row in own.trials)
    waits = shown(replace(own, trials=running))
    assert [choice for choice, _ in waits.page.choices] == [choice for choice, _ in shown(own).page.choices] == [1, 2]
    assert keys(waits, "Esc")[0] == [StopLooking()]
    assert not keys(shown(own), "Esc")[0]
