"""Choosing one of several candidates."""

from __future__ import annotations

from dataclasses import replace

from fakes.keyboard import ASKS, Make, keys

from jiti_tui.engine.interface.commands import Reject, TakeSuggestion, TakeTrial
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.pages.trial import between
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Sheet


def text(shown: Shown) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in shown.page.lines]


def test_the_best_comes_first_and_is_the_suggestion(shown: Make) -> None:
    made = shown("choose")
    assert [line[:25].rstrip() for line in text(made)[2:6]] == [
        "▸1   ▲ gains 2, loses 0",
        " 2   ▲ gains 1, loses 0",
        " 3   ‖ pauses: TYPE-ERROR",
        " 4   ▼ gains 2, loses 1",
    ]
    assert keys(made, "a")[0] == keys(made, "enter")[0] == [TakeSuggestion(ASKS)]


def test_a_digit_selects_before_it_takes(shown: Make) -> None:
    sent, _, selected = keys(shown("choose"), "2")
    assert (sent, selected.page.cursor) == ([], 1)
    assert any(line.startswith(" Difference of 2 to revision 2") for line in text(selected))
    assert keys(selected, "2")[0] == keys(selected, "a")[0] == [TakeTrial(ASKS, 1)]
    assert keys(shown("choose"), "3", "enter")[0] == [TakeTrial(ASKS, 4)]
    assert keys(shown("choose"), "9")[0] == []


def test_what_breaks_an_invariant_is_shown_and_not_offered(shown: Make, rows: Make) -> None:
    _, _, selected = keys(shown("choose"), "4")
    assert "1 BROKEN" in text(selected)[5]
    sent, _, after = keys(selected, "a", "4", "enter")
    assert not sent
    assert keys(selected, "4")[1].notice.startswith("It breaks an invariant")
    foot = rows("choose", view=after.scene.view)[-1]
    assert not foot.startswith(" a ")


def test_all_are_rejected_with_one_reason(shown: Make) -> None:
    assert keys(shown("choose"), "r", "text too clever", "enter")[0] == [Reject(ASKS, "too clever")]


def test_two_are_marked_and_compared(shown: Make) -> None:
    _, _, marked = keys(shown("choose"), "space", "down", "space")
    assert [line[:4] for line in text(marked)[2:4]] == [" 1 *", "▸2 *"]
    _, _, after = keys(marked, "d")
    assert after.scene.sheet is Sheet.COMPARED
    assert text(after)[0].startswith(" From candidate 1 to candidate 2")
    assert any("total-price" in line for line in text(after))
    assert not any("food-rate (function)" in line for line in text(after))
    _, _, third = keys(marked, "down", "space")
    assert third.scene.view.marks.numbers == (1, 4)
    assert keys(third, "space")[2].scene.view.marks.numbers == (1,)


def test_d_shows_the_selected_one_in_full(shown: Make) -> None:
    _, _, after = keys(shown("choose"), "down", "d")
    assert after.scene.sheet is Sheet.TRIAL
    assert "(defun food-rate (kind) 0.02)" in "".join(text(after))
    assert any(line.startswith(" Checks that flip") for line in text(after))


def test_e_edits_the_selected_one(shown: Make) -> None:
    _, _, after = keys(shown("choose"), "2", "e")
    assert after.scene.view.draft is not None
    assert after.scene.view.draft.form.text == "(defun food-rate (kind) 0.02)"


def test_marks_and_cursor_go_with_the_stage(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, marked = keys(shown("choose"), "space", "down", "space", "d")
    later = shown(replace(states["choose"], generation=5), marked.scene.view)
    assert later.scene.overlay is None
    assert later.scene.view.marked(later.scene.stage_name) == ()


def test_the_way_from_one_candidate_to_another(states: dict[str, Snapshot]) -> None:
    first, second, third, _ = states["choose"].trials
    assert [change.name for change in between(first.definitions, second.definitions)] == ["TOTAL-PRICE"]
    assert [change.name for change in between(second.definitions, third.definitions)] == ["FOOD-RATE"]
    assert between(first.definitions, first.definitions) == ()


def test_a_candidate_without_a_column_counts_and_gets_one_when_it_is_selected(
    shown: Make, states: dict[str, Snapshot]
) -> None:
    state = states["choose"]
    assert state.suggestion is not None
    whole = next(row for row in state.trials if row.forms == state.suggestion.body)
    loses = tuple(replace(check, candidate_ok=False) if check.decides else check for check in whole.checks)
    trials = tuple(
        replace(whole, number=number, checks=whole.checks if number < 6 else loses) for number in range(1, 7)
    )
    made = shown(replace(state, trials=trials))
    first = text(made)
    (titles,) = [line for line in first if line.startswith(" Where they differ")]
    assert titles.split()[3:] == ["now", "1", "2", "3", "4"]
    assert not any("same in all" in line for line in first)
    assert " 2 more without a column; the selected has the last" in first
    last = text(keys(made, "6")[2])
    (titles,) = [line for line in last if line.startswith(" Where they differ")]
    assert titles.split()[3:] == ["now", "1", "2", "3", "6"]
