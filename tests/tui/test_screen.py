"""The screen as an application: keys to commands, snapshots to paint, and its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.pilots import row, settled, shows
from textual import events

from jiti_tui.engine.interface.commands import (
    Accept,
    Look,
    Painted,
    Quit,
    Reject,
)
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import Exit
from jiti_tui.tui.state.step import TOO_LATE

READY = Painted(8, 8, Phase.READY)
Make = Callable[..., Any]


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


async def test_the_editor_lies_on_the_stage(stand: Make) -> None:
    made = stand("asks")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await settled(made, pilot)
        await pilot.press("e", "x", "enter", "escape")
        assert row(made, "stage", 2) == " x"
        assert row(made, "foot", 1) == " a Run  e Edit  w What if  r Discard  Esc Back  Tab Panes  ? Keys"


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
