"""What the screen says in particular situations, as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate, Notice, Severity, Snapshot
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Typed
from jiti_tui.tui.state.view import Pane, Prompt, Sheet, View

Rows = Callable[..., list[str]]


def test_without_a_model_the_screen_offers_what_needs_none(rows: Rows, states: dict[str, Snapshot]) -> None:
    new = replace(states["new"], proposer="", costs_money=False)
    text = rows(new)
    assert text[0].startswith(" YOUR TURN  ◆ New world. There is no model to ask. ! evaluates your own forms.")
    assert text[-1].rstrip() == " ! For keeps  : Evaluate  m Mode  ^q Quit  Tab Panes  ? Keys"
    assert any(row.startswith(" !  evaluate your own forms for keeps") for row in text)
    assert not any("model proposes" in row or "p asks" in row for row in text)
    held = rows(replace(states["held"], proposer=""))
    assert held[0].startswith(" HELD  ■ Held: there is no model to ask.")
    assert held[-1].startswith(" ! For keeps  m Mode  : Evaluate ")
    paused = replace(states["paused"], proposer="", suggestion=None, suggested_restart="", suggested_arguments=())
    assert any("there is no model to choose" in row for row in rows(paused))
    assert "! evaluates your own forms." in "".join(rows(replace(new, proposals=()), view=View(front=Pane.PROPOSALS)))


def test_a_later_session_does_not_say_that_nothing_was_played(rows: Rows, states: dict[str, Snapshot]) -> None:
    later = replace(states["held"], phase=Phase.NEW, recorded=True, proposer="replay transcript.jsonl")
    assert rows(later)[0].rstrip() == " YOUR TURN  ◆ New session. No recorded answer is played before p."
    assert rows(replace(later, revision=0))[0].startswith(" YOUR TURN  ◆ New session.")


def test_status_names_recorded_answers(rows: Rows, states: dict[str, Snapshot]) -> None:
    recorded = replace(states["new"], proposer="replay transcript.jsonl", recorded=True)
    assert "  replay (recorded)  sandboxed" in rows(recorded)[1]
    assert "no model is asked" in "".join(rows(recorded))
    assert rows(replace(states["paused"], recorded=True))[-1].startswith(" a As recorded  0-4 Restart")


def test_an_open_sandbox_stands_first_and_the_rest_drops_from_the_right(
    rows: Rows, states: dict[str, Snapshot]
) -> None:
    snapshot = replace(states["paused"], sandboxed=False, sandbox_reason="bwrap is missing.")
    assert rows(snapshot)[1].startswith(" NOT SANDBOXED  sales_tax  rev 2  gen 7  review  gpt-5.1  5.2k tokens")
    assert rows(snapshot, 40)[1].startswith(" NOT SANDBOXED  sales_tax  rev 2  gen 7 ")
    assert "bwrap is missing." in "".join(rows(replace(snapshot, phase=Phase.NEW)))


def test_losses_stand_before_gains_and_five_of_them_at_most(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    gained, lost = ready.checks[2], ready.checks[0]
    many = tuple(replace(gained, name=f"goal {number}") for number in range(8))
    checks = (*many, replace(lost, candidate_ok=False, candidate_detail="0.0"))
    text = rows(replace(ready, checks=checks))
    assert text[0].startswith(" YOUR TURN  ◆ Ready: candidate for revision 3 gains 8 goals, loses 1.")
    assert text[4].startswith(" ▼ lost    5%: 100.00 costs 105.00")
    assert [row[:10] for row in text[5:9]] == [" ▲ gained "] * 4
    assert text[9].strip() == "4 more: F3"


def test_a_large_change_is_counted_and_named_in_part(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    added = ready.outcome.definitions[0]
    many = tuple(replace(added, name=f"F{number}") for number in range(500))
    text = " ".join(row.strip() for row in rows(replace(ready, outcome=replace(ready.outcome, definitions=many))))
    assert "definitions  +500 f0 f1 f2 f3 f4 f5 f6 f7 and 492 more" in text


def test_a_goal_of_another_request_that_is_lost_is_told(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    other = replace(ready.checks[0], decides=False, candidate_ok=False)
    snapshot = replace(ready, checks=(other, *ready.checks[1:]))
    text = rows(snapshot)
    assert text[0].rstrip().endswith("Ready: revision 3 gains 2 goals, loses 0, 1 of other requests.")
    assert rows(snapshot, 60, 20)[0].rstrip().endswith("Ready: gains 2, loses 0, 1 of others.")
    assert any("no longer met, of other requests: 5%: 100.00" in row for row in text)


def test_late_suggestions_move_no_restart(rows: Rows) -> None:
    choosing, paused = rows("choosing"), rows("paused")
    for digit, name in enumerate(["continue", "use-value", "store-value", "drop-repair", "abandon"]):
        found = [index for index, row in enumerate(paused) if row.startswith(f" {digit} 1/{digit}  {name}")]
        assert len(found) == 1
        assert choosing[found[0]].startswith(f" {digit} 1/{digit}  {name}")


def test_a_long_report_hides_no_restart(rows: Rows, states: dict[str, Snapshot]) -> None:
    paused = states["paused"]
    report = "\n".join(f"line {number}" for number in range(1, 101))
    levels = (*paused.pause.levels[:-1], replace(paused.pause.levels[-1], condition=report))
    snapshot = replace(paused, pause=replace(paused.pause, levels=levels))
    text = [row.rstrip() for row in rows(snapshot)]
    assert text.index("   … 94 more lines, below the stack") == text.index("   line 6") + 1
    assert any(row.startswith(" 4 1/4  abandon") for row in text)
    below = [row.rstrip() for row in rows(snapshot, 80, 200)]
    assert any(row.startswith(" Condition of level 1") for row in below)
    assert "   line 100" in below


def test_a_suggested_repair_is_shown_in_full(rows: Rows, states: dict[str, Snapshot]) -> None:
    paused = states["paused"]
    repair = replace(paused.suggestion, kind="repair", body="(defun food-rate (kind)\n  0.02)", rationale="Missing.")
    text = rows(replace(paused, suggestion=repair, suggested_restart="", suggested_arguments=()), 80, 30)
    assert any(row.startswith("▸a      repair         the model's choice") for row in text)
    assert any(row.startswith(" (defun food-rate (kind)") for row in text)
    assert any(row.startswith("   0.02)") for row in text)
    assert any(row.startswith(" Missing.") for row in text)


def test_a_session_that_only_reads_says_so_and_offers_nothing_else(rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["held"], phase=Phase.READING, mode=Mode.READ_ONLY))
    live = states["held"].revision
    assert text[0].startswith(f" READ-ONLY  ■ Reading revision {live}, beside who holds the store.")
    assert " read-only " in text[1]
    assert text[-1].rstrip() == " : Evaluate  ^q Quit  Tab Panes  ? Keys"


def test_a_session_that_found_the_store_held_says_by_whom(rows: Rows, states: dict[str, Snapshot]) -> None:
    holder = "the jiti-tui with process number 12 on box, since [/x]\x1b[31m"
    painted = rows(replace(states["held"], phase=Phase.READING, mode=Mode.READ_ONLY, holder=holder))
    text = " ".join(" ".join(painted).split())
    assert "It was the jiti-tui with process number 12 on box, since [/x]" in text
    assert "the world is yours to change." in text
    assert "\x1b" not in text


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.READ_ONLY])
def test_the_menu_of_modes_starts_on_the_present_one(mode: Mode, rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["held"], mode=mode), view=View().open(Sheet.MODES))
    assert [row for row in text if row.startswith(f"▸ {mode.value}")]


def test_empty_panes_say_what_will_be_there(rows: Rows, states: dict[str, Snapshot]) -> None:
    empty = replace(states["new"], checks=(), revisions=(), proposals=())
    text = "\n".join("".join(rows(empty, view=View(front=pane))[3:5]) for pane in Pane)
    assert "No goals yet. o opens goals.lisp; saving loads them." in text
    assert "No revision yet. a on a ready candidate makes revision 1." in text
    assert "No proposal yet. p asks the model about request 1." in text


@pytest.mark.parametrize("fate", list(Fate))
def test_every_fate_has_a_sign_and_a_word(fate: Fate, rows: Rows, states: dict[str, Snapshot]) -> None:
    row = replace(states["held"].proposals[0], fate=fate, reason="")
    text = rows(replace(states["held"], proposals=(row,)), view=View(front=Pane.PROPOSALS))
    assert text[3][16:].strip() == fate.value
    assert not text[3][14].isspace()


def test_a_long_form_shows_the_lines_around_the_cursor(rows: Rows) -> None:
    asked = View().ask(Prompt("look", "Evaluate, throwaway:", lambda later, _: Step(later.view), lisp=True))
    text = rows("held", view=replace(asked, typed=Typed.of("\n".join(f"line {number}" for number in range(1, 51)))))
    assert text[11].rstrip() == " Evaluate, throwaway: lines 41-50 of 50"
    assert [row.strip() for row in text[12:22]] == [f"line {number}" for number in range(41, 51)]


def test_a_notice_takes_a_quarter_of_the_screen_at_most_and_moves_no_row_above(rows: Rows) -> None:
    for width, height in ((80, 24), (120, 40)):
        usual = rows("ready", width, height)
        text = rows("ready", width, height, notice=Notice(1, "A word. " * 400))
        most = height // 4
        assert text[-2].strip().endswith(" more lines")
        same = [index for index in range(height - most - 1) if text[index] == usual[index]]
        assert len(same) >= height - most - 2  # but for the heading that counts the lines in sight


def test_errors_and_news_take_the_place_of_the_request(rows: Rows) -> None:
    error = Notice(1, "goals.lisp line 12: a ) is missing. The last good goals stay.", Severity.ERROR)
    assert rows("held", notice=error)[-2].strip() == error.text


def test_what_the_last_session_lost_is_told_and_nothing_older(rows: Rows, states: dict[str, Snapshot]) -> None:
    lost = states["recovered"].proposals[-1]
    older = replace(lost, number=1, body="(older)")
    repair = replace(lost, number=9, kind="repair", body="(latest)")
    told = rows(replace(states["recovered"], proposals=(older, lost, repair)), 80, 40)
    assert [row.split()[1] for row in told if row.startswith(" Lost: ")] == ["repair", "evaluate"]
    assert not any("(older)" in row for row in told)
