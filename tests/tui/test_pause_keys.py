"""Looking around in a pause: levels, frames, locals, source; and trying a restart without choosing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.keyboard import PAUSED, Make, keys

from jiti_tui.engine.interface.commands import Hold, Look, Repair, Resume, ShowFrame, TakeSuggestion, WhatIf, WhatIfAll
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.engine.interface.query_results import LocalRow, ShownFrame
from jiti_tui.engine.interface.snapshot import FrameRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.keys.trying import questions
from jiti_tui.tui.pages.reader import said_of_prompt
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Sheet

Rows = Callable[..., list[str]]
RATES = "((:food . 0.02) (:clothing . 0.08))"
REPAIR = "(defvar *rates* nil)"


def text(shown: Shown) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in shown.page.lines]


def row(shown: Shown, start: str) -> str:
    return next(line for line in text(shown) if line[1:].startswith(start))


def test_t_and_v_show_and_hide_what_is_known_of_the_frame(shown: Make) -> None:
    at_first = text(shown("paused"))
    assert not any(line.startswith((" Locals", " Source")) for line in at_first)
    _, _, with_locals = keys(shown("paused"), "t")
    heading = next(
        index for index, line in enumerate(text(with_locals)) if line.startswith(" Locals of (food-rate :food)")
    )
    assert text(with_locals)[heading + 1] == " kind  :food"
    _, _, with_both = keys(with_locals, "v")
    assert text(with_both)[-3:] == [
        text(with_both)[-3],
        " (defun food-rate (kind)",
        "▸  (cdr (assoc kind *rates*)))",
    ]
    assert text(with_both)[-3].startswith(" Source of food-rate ─")
    _, _, without = keys(with_both, "t", "v")
    assert text(without) == at_first


def test_the_source_is_there_by_itself_where_there_is_room(shown: Make) -> None:
    tall = shown("paused", width=120, height=40)
    assert any(line.startswith(" Source of food-rate") for line in text(tall))
    _, _, hidden = keys(tall, "v")
    assert not any(line.startswith(" Source") for line in text(hidden))


def test_the_cursor_on_a_frame_looks_at_it(shown: Make) -> None:
    _, _, on_frame = keys(shown("paused"), *["down"] * 7)
    assert on_frame.page.cursor == "frame 1"
    _, _, with_locals = keys(on_frame, "enter")
    assert any(line.startswith(" Locals of (total-price 100.0 :food)") for line in text(with_locals))
    assert ShowFrame(PAUSED, 1) in questions(with_locals)
    assert " They are being read." in text(with_locals)
    sent, _, _ = keys(with_locals, ":", "text price", "enter")
    assert sent == [Look("price", 1)]
    _, _, back = keys(with_locals, "home")
    assert keys(back, ":", "text rate", "enter")[0] == [Look("rate", 1)]


def test_levels_are_read_and_nothing_of_an_outer_one_is_chosen(shown: Make) -> None:
    assert row(shown("paused"), "[ 0/0") == " [ 0/0  3 restarts of level 0: they drop repair 1"
    _, _, outer = keys(shown("paused"), "[")
    assert " 0/1  use-value" in row(outer, "  0/1")
    assert [identity for identity, _ in outer.page.choices] == ["frame 1"]
    for name in ("a", "0", "enter", "down"):
        sent, _, after = keys(outer, name)
        assert not sent
        if name in ("a", "0"):
            assert len(after.page.choices) > 1
            assert keys(after, name)[0] == [TakeSuggestion(PAUSED) if name == "a" else Resume(PAUSED, "1/0")]
    _, _, inner = keys(outer, "[", "]", "]")
    assert text(inner) == text(shown("paused"))


def test_frames_of_an_outer_level_are_looked_into(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, outer = keys(shown("paused"), "[", "t")
    assert questions(outer)[-1] == ShowFrame(PAUSED, 1)
    assert text(outer)[-2:] == [text(outer)[-2], " They are being read."]
    assert text(outer)[-2].startswith(" Locals of (total-price 100.0 :food) ")
    assert keys(outer, ":", "text price", "enter")[0] == [Look("price", 1)]
    frame = ShownFrame(7, 1, "(total-price 100.0 :food)", "definition", 4, "", 1, (LocalRow("price", "100.0"),))
    told = shown(replace(states["paused"], shown_frame=frame), outer.scene.view)
    assert text(told)[-1] == " price  100.0"
    _, _, below = keys(shown("paused"), *["down"] * 7, "t")
    assert below.page.cursor == "frame 1"
    assert "level 0, definition, line 4" in row(below, "  (total")
    assert questions(below)[-1] == ShowFrame(PAUSED, 1)


def test_a_level_without_frames_has_none_to_be_looked_into(shown: Make, states: dict[str, Snapshot]) -> None:
    pause = states["paused"].pause
    assert pause is not None
    outer, inner = pause.levels
    for levels, pressed in (((replace(outer, frames=()), inner), ["["]), ((outer, replace(inner, frames=())), [])):
        snapshot = replace(states["paused"], pause=replace(pause, levels=levels))
        sent, _, after = keys(shown(snapshot, width=120, height=40), *pressed, "t", ":", "text x", "enter")
        assert sent == [Look("x", None)]
        assert not any(isinstance(question, ShowFrame) for question in questions(after))
    _, _, below = keys(shown(snapshot), *["down"] * 6, "t")
    assert questions(below)[-1] == ShowFrame(PAUSED, 0)


def test_w_tries_and_chooses_nothing(shown: Make) -> None:
    assert keys(shown("paused"), "down", "w")[0] == [WhatIf(PAUSED, "1/0")]
    sent, _, after = keys(shown("paused"), "down", "down", "w", "text 0.02", "enter")
    assert sent == [WhatIf(PAUSED, "1/1", ("0.02",))]
    assert after.page.cursor == "1/1"
    assert keys(shown("paused"), "w")[0] == [WhatIf(PAUSED, "1/2", (RATES,))]
    sent, step, _ = keys(shown("paused"), *["down"] * 6, "w")
    assert (sent, step.notice) == ([], "Select a restart with the arrows, then w.")
    sent, step, _ = keys(shown("paused"), *["down"] * 4, "w")
    assert (sent, step.notice) == ([], "drop-repair leads nowhere but back: there is nothing to try.")


def test_ctrl_t_tries_what_is_typed_and_goes_on_typing(shown: Make) -> None:
    sent, _, after = keys(shown("paused"), "1", "text 0.02", "ctrl+t")
    assert sent == [WhatIf(PAUSED, "1/1", ("0.02",))]
    assert after.scene.view.prompt is not None
    assert keys(after, "enter")[0] == [Resume(PAUSED, "1/1", ("0.02",))]
    sent, _, after = keys(shown("paused"), "!", f"text {REPAIR}", "ctrl+t")
    assert sent == [WhatIf(PAUSED, "1/0", (), REPAIR)]
    assert keys(after, "enter")[0] == [Repair(PAUSED, REPAIR)]
    sent, step, _ = keys(shown("paused"), "1", "ctrl+t")
    assert (sent, step.notice) == ([], "1/1 use-value takes 1 value.")


def test_c_continues(shown: Make) -> None:
    assert keys(shown("paused"), "c")[0] == [Resume(PAUSED, "1/0")]
    assert keys(shown("ready"), "c")[0] == []


def test_d_shows_a_trial_in_full(shown: Make) -> None:
    _, step, after = keys(shown("paused"), "down", "d")
    assert after.scene.sheet is Sheet.TRIAL
    assert text(after)[0].startswith(" If 1/0 continue is taken")
    assert "UNBOUND-VARIABLE: The variable *RATES* is unbound." in " ".join(text(after))
    assert keys(after, "d")[2].scene.sheet is None
    _, step, _ = keys(shown("paused"), "down", "down", "d")
    assert step.notice.startswith("Nothing is known of it yet.")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "» trying"),
        ({"state": TrialState.VALUE, "text": "1"}, "= value, no change"),
        ({"state": TrialState.VALUE, "broken": ("the tax is positive",)}, "✗ breaks the tax is p"),
        ({"state": TrialState.TIMED_OUT}, "✗ takes too long"),
        ({"state": TrialState.FAILED, "text": "Its process ended."}, "✗ Its process ended."),
        ({"state": TrialState.PAUSED, "type": "PKG:ODD-ERROR", "text": "odd"}, "‖ pauses: ODD-ERROR"),
        ({"state": TrialState.PAUSED}, "= to level 0"),
        ({"state": TrialState.VALUE, "then": ("0/0",)}, "= to level 0: 0/0 no ch"),
        ({"state": TrialState.PAUSED, "type": "A:B", "then": ("0/0",)}, "‖ to level 0: 0/0 pauses"),
    ],
)  # fmt: skip
def test_an_outcome_fills_its_column_and_moves_no_row(
    fields: dict[str, Any], told: str, shown: Make, states: dict[str, Snapshot]
) -> None:
    before = replace(states["paused"], trials=())
    after = replace(before, trials=(TrialRow(1, "1/0", "continue", (), "", **fields),))
    old, new = text(shown(before)), text(shown(after))
    (changed,) = [index for index, line in enumerate(new) if line != old[index]]
    assert new[changed].startswith(" 0 1/0  continue       Retry using *RATES*.")
    assert told in new[changed]
    assert len(old) == len(new)


def test_what_a_value_leads_to_at_an_outer_level_is_told_in_brief(shown: Make, states: dict[str, Snapshot]) -> None:
    tried = TrialRow(9, "1/1", "use-value", ("7",), "", TrialState.PAUSED, type="P:ODD", then=("0/0",))
    plain = TrialRow(10, "1/0", "continue", (), "", TrialState.VALUE)
    told = shown(replace(states["paused"], trials=(tried, plain)))
    assert row(told, "1 1/1").endswith(" ‖ 7: 0/0 pauses: ODD")
    _, _, asked = keys(told, "!")
    prompt = asked.scene.view.prompt
    assert prompt is not None
    assert said_of_prompt(asked.scene, prompt) is None


def test_gains_and_losses_are_told_of_a_value(shown: Make, states: dict[str, Snapshot]) -> None:
    gains = states["choose"].trials[0]
    for trial, told in (
        (gains, "▲ value: gains 1"),
        (replace(states["choose"].trials[2], broken=()), "gains 2, loses 1"),
    ):
        tried = replace(trial, restart="1/0", name="continue", forms="")
        assert told in row(shown(replace(states["paused"], trials=(tried,))), "0 1/0")


def test_the_screen_asks_what_is_free_and_only_where_somebody_reads_it(
    shown: Make, states: dict[str, Snapshot]
) -> None:
    paused = states["paused"]
    assert questions(shown(paused)) == (WhatIfAll(PAUSED), WhatIf(PAUSED, "1/2", (RATES,)))
    assert questions(shown(paused, width=120, height=40))[-1] == ShowFrame(PAUSED, 0)
    assert questions(shown(replace(paused, mode=Mode.AUTO))) == ()
    assert questions(shown(replace(paused, mode=Mode.AUTO, held=True)))[0] == WhatIfAll(PAUSED)
    repair = replace(paused.suggestion, kind="repair", body=REPAIR) if paused.suggestion else None
    suggested = replace(paused, suggestion=repair, suggested_restart="", suggested_arguments=())
    assert questions(shown(suggested))[1] == WhatIf(PAUSED, "1/0", (), REPAIR)
    assert questions(shown("ready")) == ()


def test_who_touches_a_pause_keeps_it(shown: Make, states: dict[str, Snapshot]) -> None:
    racing = shown(replace(states["choosing"], mode=Mode.AUTO))
    for name in ("t", "v", "down", "["):
        assert keys(racing, name)[0] == [Hold()]
    sent, step, _ = keys(racing, "down", "w")
    assert sent == [Hold(), WhatIf(PAUSED, "1/0"), Hold()]
    assert "its answer waits as row a" in step.notice
    assert keys(racing, "0")[0] == [Resume(PAUSED, "1/0")]
    assert keys(shown(replace(states["choosing"], mode=Mode.AUTO, held=True)), "t")[0] == []
    assert keys(shown("choosing"), "t")[0] == []
    assert keys(racing, "F5", "down")[0] == []


def test_on_narrow_paper_the_outcome_stays_and_the_report_goes_below(rows: Rows) -> None:
    narrow = rows("paused", 60, 20)
    assert any(line.rstrip() == " 0 continue       ✗ the same condition" for line in narrow)
    assert not any("1/0" in line for line in narrow)


def test_code_of_the_system_is_not_what_is_looked_at_first(shown: Make, states: dict[str, Snapshot]) -> None:
    pause = states["paused"].pause
    assert pause is not None
    outer, inner = pause.levels
    deeper = replace(inner, frames=(FrameRow("(CAR 1)", "SYS:SRC;CODE;LIST.LISP"), *inner.frames))
    made = shown(replace(states["paused"], pause=replace(pause, levels=(outer, deeper))), width=120, height=40)
    assert questions(made)[-1] == ShowFrame(PAUSED, 1)
    assert keys(made, ":", "text x", "enter")[0] == [Look("x", 1)]
    assert keys(made, *["down"] * 6, ":", "text x", "enter")[0] == [Look("x", 0)]
