"""The screen as an application: keys to commands, snapshots to paint, news, and its end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual import events

from jiti_tui.engine.commands import (
    Accept,
    Command,
    Compare,
    Look,
    Painted,
    Quit,
    Reject,
    ShowRevision,
    StopLooking,
    TraceCheck,
)
from jiti_tui.engine.looked import Looked
from jiti_tui.engine.phase import Phase
from jiti_tui.engine.snapshot import CheckKind, Notice, Severity, Snapshot
from jiti_tui.errors import Exit
from jiti_tui.tui import bulletin
from jiti_tui.tui.clock import Clock
from jiti_tui.tui.state.step import TOO_LATE
from jiti_tui.tui.state.view import Sheet
from jiti_tui.tui.widgets.rows import Rows

READY = Painted(8, 8, Phase.READY)
Make = Callable[..., Any]


def row(stand: Any, part: str, index: int) -> str:
    """Return what a part of the screen shows in one of its rows."""
    strip = stand.app.screen.query_one(f"#{part}", Rows).render_line(index)
    return strip.text.rstrip()


async def settled(stand: Any, pilot: Any) -> None:
    """Let the stage stand long enough to be acted upon."""
    await pilot.pause()
    stand.clock.at += 1.0


async def shows(pilot: Any, condition: Callable[[], bool]) -> None:
    """Wait until `condition` holds, 5 seconds at most."""
    async with asyncio.timeout(5):
        while not condition():
            await pilot.pause(0.01)


async def test_it_shows_the_session_and_sends_what_keys_mean(stand: Make) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        assert row(made, "head", 0) == " YOUR TURN  ◆ Ready: candidate for revision 3 gains 2 goals, loses 0."
        assert row(made, "foot", 1) == " a Accept  r Reject  e Edit  d Changes  Tab Panes  ? Keys"
        await pilot.press("a")
        assert made.engine.sent == [Accept(READY)]


async def test_a_key_right_after_a_new_stage_is_too_late(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("trying")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        made.engine.publish(states["ready"])
        await shows(pilot, lambda: "Ready" in row(made, "head", 0))
        await pilot.press("a")
        assert made.engine.sent == []
        assert row(made, "foot", 0) == f" {TOO_LATE}"
        made.clock.at += 0.4
        await pilot.press("a")
        assert made.engine.sent == [Accept(READY)]


async def test_the_operators_own_way_back_delays_no_key(stand: Make) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("question_mark", "escape", "f5", "enter", "escape", "f2", "a")
        assert made.engine.sent == [Accept(READY)]


async def test_a_stage_that_came_behind_another_page_is_new_when_it_comes_to_the_front(
    stand: Make, states: dict[str, Snapshot]
) -> None:
    made = stand("trying")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("f5")
        made.engine.publish(states["ready"])
        await shows(pilot, lambda: "Ready" in row(made, "head", 0))
        made.clock.at += 10
        await pilot.press("f2", "a")
        assert made.engine.sent == []
        assert row(made, "foot", 0) == f" {TOO_LATE}"
        made.clock.at += 0.4
        await pilot.press("a")
        assert made.engine.sent == [Accept(READY)]


async def test_the_stage_waits_while_somebody_types(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("r", "n", "o")
        made.engine.publish(states["met"])
        await shows(pilot, lambda: "Met" in row(made, "head", 0))
        assert row(made, "stage", 0).startswith(" Checks")
        assert row(made, "foot", 0) == " Reject. Reason (may be empty): no"
        await pilot.press("enter")
        assert made.engine.sent == [Reject(READY, "no")]
        assert row(made, "stage", 0).startswith(" Request 2 is met")


async def test_what_is_typed_at_once_arrives_in_order(stand: Make) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("colon", *"(a0r", "right_parenthesis", "enter", "f5")
        assert made.engine.sent == [Look("(a0r)")]
        assert row(made, "stage", 0)[0] == "▸"


async def test_snapshots_come_from_another_thread_and_the_newest_wins(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("thinking")

    def stream() -> None:
        for count in range(500):
            made.engine.publish(replace(states["thinking"], rationale=f"word {count}"))

    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        thread = threading.Thread(target=stream)
        thread.start()
        await shows(pilot, lambda: row(made, "stage", 6) == " word 499")
        thread.join()


async def test_streams_are_painted_fifteen_times_a_second_at_most(
    stand: Make, states: dict[str, Snapshot], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand("thinking")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        screen = made.app.screen
        paints: list[float] = []
        paint = screen.paint
        monkeypatch.setattr(screen, "paint", lambda: (paints.append(made.clock.at), paint()))
        for count in range(30):
            made.clock.at += 0.01
            screen.receive(replace(states["thinking"], rationale=f"word {count}"))
        assert len(paints) <= 6


async def test_news_stand_for_eight_seconds_and_errors_until_a_key(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    request = " Request 3 of 3 Use different rates for food and non-food items."
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        made.engine.publish(replace(states["held"], notice=Notice(1, "Revision 3 is on disk.")))
        await shows(pilot, lambda: row(made, "foot", 0) == " Revision 3 is on disk.")
        made.clock.at += 8.1
        await pilot.press("down")
        assert row(made, "foot", 0) == request
        made.engine.publish(replace(states["held"], notice=Notice(2, "goals.lisp line 12.", Severity.ERROR)))
        await shows(pilot, lambda: row(made, "foot", 0) == " goals.lisp line 12.")
        made.clock.at += 100
        made.app.screen.paint()
        assert row(made, "foot", 0) == " goals.lisp line 12."
        await pilot.press("down")
        assert row(made, "foot", 0) == request


async def test_news_pass_by_themselves(
    stand: Make, states: dict[str, Snapshot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulletin, "NEWS_SECONDS", 0.2)
    made = stand("held", clock=Clock())
    async with made.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        made.engine.publish(replace(states["held"], notice=Notice(1, "Restored: no change.")))
        await shows(pilot, lambda: row(made, "foot", 0) == " Restored: no change.")
        await shows(pilot, lambda: row(made, "foot", 0).startswith(" Request 3 of 3"))


async def test_what_comes_beneath_a_prompt_is_seen_after_it(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    wrong = replace(states["held"], notice=Notice(1, "goals.lisp line 12.", Severity.ERROR))
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("i", "a")
        made.engine.publish(wrong)
        await pilot.pause(0.1)
        made.clock.at += 100
        await pilot.press("b")
        assert row(made, "foot", 0) == " Request: ab"
        await pilot.press("escape")
        assert row(made, "foot", 0) == " goals.lisp line 12."


async def test_a_long_notice_takes_the_rows_that_it_needs(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    long = "goals.lisp line 27: " + "the file ends within a form " * 5 + "there. The last good checks stay."
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        made.engine.publish(replace(states["held"], notice=Notice(1, long, Severity.ERROR)))
        await shows(pilot, lambda: row(made, "foot", 2).endswith("The last good checks stay."))
        foot = made.app.screen.query_one("#foot", Rows)
        assert (foot.region.y, foot.region.height) == (20, 4)
        assert row(made, "foot", 3).endswith("? Keys")
        await pilot.press("down")
        assert row(made, "foot", 0).startswith(" Request 3 of 3")
        await shows(pilot, lambda: (foot.region.y, foot.region.height) == (22, 2))


async def test_a_look_is_seen_to_run(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("colon", *"(loop)", "enter")
        assert row(made, "foot", 0) == " Evaluating for 0 s, Esc stops: (loop)"
        made.clock.at += 3
        await shows(pilot, lambda: row(made, "foot", 0) == " Evaluating for 3 s, Esc stops: (loop)")
        await pilot.press("escape")
        assert made.engine.sent == [Look("(loop)"), StopLooking()]
        made.engine.publish(replace(states["held"], looked=Looked(1, "(loop)", False, "TIME-LIMIT: over 10 s.")))
        await shows(pilot, lambda: row(made, "foot", 0) == " (loop) signals TIME-LIMIT: over 10 s.")
        await pilot.press("escape")
        assert StopLooking() not in made.engine.sent[2:]


@pytest.mark.parametrize(
    ("keys", "asked", "told"),
    [
        (("f3", "enter"), TraceCheck(CheckKind.GOAL, "5%: 100.00 costs 105.00"), "it is being looked up"),
        (("f4", "enter"), ShowRevision(2), "It is being read"),
        (("f4", "d"), Compare(1, 2), "They are being compared"),
    ],
)
async def test_what_takes_long_tells_for_how_long_and_is_stopped(
    keys: tuple[str, ...], asked: Command, told: str, stand: Make
) -> None:
    made = stand("ready")

    def stage() -> str:
        rows = made.app.screen.query_one("#stage", Rows)
        return " ".join(row(made, "stage", index) for index in range(rows.size.height))

    async with made.app.run_test(size=(120, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press(*keys)
        assert told in stage()
        made.clock.at += 3
        await shows(pilot, lambda: f"{told}, for 3 s. Esc stops it" in stage())
        await pilot.press("escape")
        assert made.engine.sent == [asked, StopLooking()]
        assert made.app.screen.shown.scene.sheet is None


async def test_a_pasted_form_is_seen_line_by_line(stand: Make) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("colon")
        made.app.post_message(events.Paste("(list 1 ; one\n  2)\n"))
        await shows(pilot, lambda: row(made, "foot", 2) == "    2)")
        assert [row(made, "foot", index) for index in (0, 1, 4)] == [
            " Evaluate, throwaway:", "  (list 1 ; one", " Enter Send  Tab Complete  Up History  Esc Leave",
        ]  # fmt: skip
        await pilot.press("enter")
        assert made.engine.sent == [Look("(list 1 ; one\n  2)")]


async def test_a_short_answer_is_a_notice_and_a_long_one_a_sheet(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("colon", "x", "enter")
        made.engine.publish(replace(states["held"], looked=Looked(1, "x", True, "102.0")))
        await shows(pilot, lambda: row(made, "foot", 0) == " x => 102.0")
        await pilot.press("colon", "y", "enter")
        made.engine.publish(replace(states["held"], looked=Looked(2, "y", False, "boom " * 50, "printed")))
        await shows(pilot, lambda: row(made, "stage", 0).startswith(" Evaluated"))
        assert made.app.screen.shown.scene.sheet is Sheet.LOOKED
        await pilot.press("escape")
        assert row(made, "stage", 0).startswith(" Request 3 of 3")


async def test_a_long_answer_does_not_come_over_what_is_read_by_then(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("colon", "y", "enter", "f3")
        made.engine.publish(replace(states["held"], looked=Looked(1, "y", True, "(1 2) " * 50)))
        await shows(pilot, lambda: row(made, "foot", 0).startswith(" y => (1 2)"))
        assert made.app.screen.shown.scene.sheet is None


async def test_the_editor_lies_on_the_stage(stand: Make) -> None:
    made = stand("asks")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("e", "x", "enter", "escape")
        assert row(made, "stage", 2) == " x"
        assert row(made, "foot", 1) == " a Run  e Edit  r Discard  Esc Back  Tab Panes  ? Keys"


async def test_resizing_moves_between_tabs_and_rail(stand: Make) -> None:
    made = stand("paused")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        assert row(made, "head", 2).startswith(" F2 Paused ")
        await pilot.resize_terminal(120, 40)
        await shows(pilot, lambda: row(made, "rail", 0).startswith(" Goals 2/4"))
        assert row(made, "stage", 0).startswith("▸Paused")
        await pilot.resize_terminal(60, 20)
        await shows(pilot, lambda: row(made, "head", 2).startswith(" F2 Paused "))
        await pilot.press("down")


async def test_the_badge_counts_seconds_only_while_somebody_works(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("trying")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        made.clock.at += 30
        await shows(pilot, lambda: " WORKING 4" in row(made, "head", 0))
        made.engine.publish(states["ready"])
        await shows(pilot, lambda: " YOUR TURN " in row(made, "head", 0))


async def test_it_rings_once_when_it_becomes_the_operators_turn(
    stand: Make, states: dict[str, Snapshot], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stand("trying")
    rung: list[bool] = []
    monkeypatch.setattr(made.app, "bell", lambda: rung.append(True))
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        for outcome in (states["ready"], replace(states["ready"], held=True)):
            made.clock.at += 1
            made.engine.publish(outcome)
            await pilot.pause(0.05)
        await shows(pilot, lambda: rung == [True])


async def test_ctrl_q_sends_quit_also_from_a_prompt(stand: Make) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("i", "x", "ctrl+q")
    assert made.engine.sent == [Quit()]
    assert made.app.return_value is Exit.DONE


async def test_the_end_of_the_session_ends_the_screen(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        made.engine.publish(replace(states["ready"], phase=Phase.CLOSED, reason="The world is gone."))
        await shows(pilot, lambda: made.app.return_value is not None)
    assert made.app.return_value is Exit.DONE


async def test_keys_of_textual_do_nothing_here(stand: Make) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        for name in ("ctrl+p", "ctrl+c", "ctrl+s", "f9"):
            await pilot.press(name)
        assert made.engine.sent == []
        assert len(made.app.screen_stack) == 1
