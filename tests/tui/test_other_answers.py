"""Several answers of a model to a pause: the best is the suggestion, the others stand below the menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from fakes.keyboard import Make, keys

from jiti_tui.engine.interface.commands import TakeSuggestion, TakeTrial, WhatIf
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.keys.trying import questions
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Sheet

REPAIR = "(defvar *rates*\n  '((:food . 0.02)))"


def text(shown: Shown) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in shown.page.lines]


@pytest.fixture
def answered(states: dict[str, Snapshot]) -> Snapshot:
    paused = states["paused"]
    suggestion = paused.suggestion
    assert suggestion is not None
    trials = (
        TrialRow(50, "1/0", "continue", (), REPAIR, TrialState.VALUE, goals=(1, 2), answer=True),
        TrialRow(51, "1/2", "use-value", ("nil",), "", TrialState.VALUE, broken=("the tax is positive",), answer=True),
        TrialRow(52, "1/2", "use-value", paused.suggested_arguments, "", TrialState.VALUE, goals=(2, 2), answer=True),
    )
    said = replace(suggestion, number=9, kind="repair", body=REPAIR, rationale="It was never defined.")
    return replace(paused, trials=(*paused.trials, *trials), proposals=(*paused.proposals, said))


def place(lines: list[str], start: str) -> int:
    return next(index for index, line in enumerate(lines) if line.startswith(start))


def test_they_stand_below_the_menu_the_best_first(answered: Snapshot, shown: Callable[..., Shown]) -> None:
    lines = text(shown(answered))
    first = place(lines, " Other answers of the ")
    assert lines[first].endswith("Enter takes one")
    assert lines[first + 1].startswith("        repair         2 lines, then 1/0 continue")
    assert "= value" in lines[first + 1]
    assert lines[first + 2].startswith("   1/2  use-value      with nil")
    assert "breaks the tax is p" in lines[first + 2]
    assert not lines[first + 3].startswith("   1/2")


def test_the_selected_one_is_read_in_full_and_taken(answered: Snapshot, shown: Make) -> None:
    menu = len(answered.pause.restarts) if answered.pause is not None else 0
    _, _, on_repair = keys(shown(answered), *["down"] * (menu + 1))
    lines = text(on_repair)
    below = place(lines, " The selected repair")
    assert [line.strip() for line in lines[below + 1 : below + 3]] == REPAIR.replace("  ", "").split("\n")
    assert any("It was never defined." in line for line in lines)
    (command,) = keys(on_repair, "enter")[0]
    assert command == TakeTrial(answered.painted, 50)
    assert keys(on_repair, "d")[2].scene.sheet is Sheet.TRIAL
    assert keys(on_repair, "a")[0] == [TakeSuggestion(answered.painted)]


def test_while_they_are_tried_it_says_so(answered: Snapshot, shown: Callable[..., Shown]) -> None:
    running = tuple(replace(row, state=TrialState.RUNNING) if row.answer else row for row in answered.trials)
    trying = replace(answered, trials=running, suggestion=None, suggested_restart="", suggested_arguments=())
    lines = text(shown(trying))
    assert any("answers are being tried" in line for line in lines)
    below = lines[place(lines, " Other answers of the ") :]
    assert len([line for line in below if line.endswith("trying")]) == 3


def test_the_suggestion_that_was_tried_is_not_tried_again(
    answered: Snapshot, states: dict[str, Snapshot], shown: Callable[..., Shown]
) -> None:
    assert len([asked for asked in questions(shown(states["paused"])) if isinstance(asked, WhatIf)]) == 1
    assert not [asked for asked in questions(shown(answered)) if isinstance(asked, WhatIf)]


def test_one_that_breaks_an_invariant_is_not_taken(answered: Snapshot, shown: Make) -> None:
    menu = len(answered.pause.restarts) if answered.pause is not None else 0
    commands, step, _ = keys(shown(answered), *["down"] * (menu + 2), "enter")
    assert commands == []
    assert "breaks an invariant" in step.notice
