"""News, answers and streams on the screen: when they are painted, and for how long they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.pilots import row, settled, shows

from jiti_tui.engine.interface.commands import (
    Command,
    Compare,
    Look,
    Painted,
    ShowRevision,
    StopLooking,
    TraceCheck,
)
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import Looked
from jiti_tui.engine.interface.snapshot import CheckKind, Notice, Severity, Snapshot
from jiti_tui.tui import bulletin
from jiti_tui.tui.clock import Clock
from jiti_tui.tui.state.view import Sheet
from jiti_tui.tui.widgets.rows import Rows

READY = Painted(8, 8, Phase.READY)
Make = Callable[..., Any]


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
