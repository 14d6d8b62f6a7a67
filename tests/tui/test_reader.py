"""What the kernel says of Lisp while it is typed, and what the screen asks by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jiti_tui.engine.interface.commands import Complete, Painted, ReadCheck, ShowFrame, WhatIf, WhatIfAll
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import Completions, ReadVerdict
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.widgets.rows import Rows

Make = Callable[..., Any]
PAUSED = Painted(7, 8, Phase.PAUSED)
RATES = "((:food . 0.02) (:clothing . 0.08))"


def row(stand: Any, part: str, index: int) -> str:
    return stand.app.screen.query_one(f"#{part}", Rows).render_line(index).text.rstrip()


async def until(pilot: Any, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await pilot.pause(0.01)


def asked(stand: Any, kind: type) -> list[Any]:
    return [command for command in stand.engine.sent if isinstance(command, kind)]


async def test_what_rests_is_read_and_the_verdict_stands_below(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("colon", *"(car")
        await pilot.pause(0.3)
        assert asked(made, ReadCheck) == []  # the clock stands still: the operator has not paused
        made.clock.at += 1
        await pilot.press("space")
        made.clock.at += 1
        await until(pilot, lambda: asked(made, ReadCheck) == [ReadCheck("(car ")])
        verdict = ReadVerdict("(car ", False, False, "The text ends inside the form that begins here.", 1, 0)
        made.engine.publish(replace(states["held"], read_verdict=verdict))
        await until(pilot, lambda: "line 1, column 0" in row(made, "foot", 1))
        assert row(made, "foot", 1) == " · line 1, column 0: The text ends inside the form that begins here."
        await pilot.press("x")
        assert row(made, "foot", 1) == ""


async def test_a_value_is_read_as_a_datum_and_a_draft_as_forms(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("paused")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        made.clock.at += 1
        await pilot.press("1", "4")
        made.clock.at += 1
        await until(pilot, lambda: asked(made, ReadCheck) == [ReadCheck("4", True)])
        made.engine.publish(replace(states["paused"], read_verdict=ReadVerdict("4", True, True)))
        await until(pilot, lambda: row(made, "foot", 1) == " ✓ reads")
        tried = TrialRow(9, "1/1", "use-value", ("4",), "", TrialState.TIMED_OUT)
        made.engine.publish(replace(states["paused"], trials=(tried,)))
        await until(pilot, lambda: row(made, "foot", 1) == " ✗ takes too long")
        await pilot.press("escape", "e")
        made.clock.at += 1
        await until(pilot, lambda: len(asked(made, ReadCheck)) == 2)
        assert asked(made, ReadCheck)[1].text.startswith("(defun food-rate")


async def test_tab_completes_what_the_kernel_finds(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("colon", *"(tot", "tab")
        assert made.engine.sent == [Complete("tot")]
        made.engine.publish(replace(states["held"], completions=Completions("tot", ("total-tax", "total-price"))))
        await until(pilot, lambda: row(made, "foot", 0).startswith(" Evaluate, throwaway: (total-"))
        await pilot.press("tab")
        assert made.engine.sent[1] == Complete("total-")
        many = Completions("total-", ("total-tax", "total-price"))
        made.engine.publish(replace(states["held"], completions=many))
        await until(pilot, lambda: row(made, "foot", 1) == " ▸ total-tax  total-price")
        await pilot.press("p", "tab")
        made.engine.publish(replace(states["held"], completions=Completions("total-p", ("total-price",))))
        await until(pilot, lambda: "(total-price" in row(made, "foot", 0))


async def test_an_answer_to_tab_that_comes_late_changes_nothing(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("held")
    async with made.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("colon", *"tot", "tab", "x")
        made.engine.publish(replace(states["held"], completions=Completions("tot", ("total-tax",))))
        await pilot.pause(0.1)
        assert row(made, "foot", 0) == " Evaluate, throwaway: totx"
        await pilot.press("escape", "i", *"tot", "tab")
        assert asked(made, Complete) == [Complete("tot")]


async def test_a_pause_is_tried_once_and_anew_when_it_has_moved(stand: Make, states: dict[str, Snapshot]) -> None:
    made = stand("trying")
    async with made.app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert made.engine.sent == []
        made.engine.publish(states["paused"])
        await until(pilot, lambda: len(made.engine.sent) == 3)
        assert made.engine.sent == [
            WhatIfAll(PAUSED),
            WhatIf(PAUSED, "1/2", (RATES,)),
            ShowFrame(PAUSED, 0),
        ]
        await pilot.press("down", "up", "t", "t")
        assert len(made.engine.sent) == 3
        made.clock.at += 1
        await pilot.press(*["down"] * 7)
        assert made.engine.sent[3:] == [ShowFrame(PAUSED, 1)]
        await pilot.press("up")
        assert made.engine.sent[4:] == [ShowFrame(PAUSED, 0)]
        made.engine.publish(replace(states["paused"], generation=9, suggestion=None, suggested_arguments=()))
        await until(pilot, lambda: len(made.engine.sent) == 7)
        assert made.engine.sent[5] == WhatIfAll(replace(PAUSED, generation=9))
