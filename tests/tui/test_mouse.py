"""The mouse: it scrolls, selects and changes panes, and acts on nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.keyboard import Make, follow, keys
from fakes.states import STATES

from jiti_tui.engine.interface.commands import Accept, Hold
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.tui.keys.pointing import click, wheel
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Pane, Sheet


def at(shown: Shown, text: str) -> tuple[int, int]:
    """Return the cell in which `text` begins on the screen."""
    drawn = draw(shown.scene)
    beside = drawn.rail or [()] * len(drawn.stage)
    lines = [*drawn.head, *((*left, *right) for left, right in zip(beside, drawn.stage, strict=True)), *drawn.foot]
    for y, line in enumerate(lines):
        x = "".join(run.text for run in line).find(text)
        if x >= 0:
            return x, y
    raise AssertionError(f"{text!r} is not on the screen")


@pytest.mark.parametrize("width", [60, 80])
def test_a_click_on_a_tab_brings_its_pane(width: int, shown: Make) -> None:
    narrow = shown("ready", width=width)
    for text, pane in (("Goals", Pane.GOALS), ("Revisions", Pane.REVISIONS), ("Proposals", Pane.PROPOSALS)):
        x, y = at(narrow, text)
        for column in (x - 3, x + len(text) - 1):
            assert click(narrow, column, y).view.front is pane
    goals = follow(narrow, narrow.scene.view.bring(Pane.GOALS))
    assert click(goals, *at(goals, "Review")).view.front is Pane.STAGE
    assert click(narrow, width - 1, 0).view is narrow.scene.view


def test_a_click_on_the_rail_selects_the_row_there(shown: Make) -> None:
    wide = shown("ready", width=120, height=40)
    step = click(wide, *at(wide, "8%: 100.00"))
    assert step.view.front is Pane.GOALS
    assert follow(wide, step.view).page.cursor == "goal 8%: 100.00 costs 108.00"
    x, y = at(wide, "8%: 100.00")
    assert follow(wide, click(wide, x, y + 2).view).page.cursor == "goal food total is 102.00"
    title = click(wide, *at(wide, "Proposals"))
    assert (title.view.front, title.commands) == (Pane.PROPOSALS, ())
    rail = follow(wide, title.view)
    assert click(rail, *at(rail, "Checks ")).view.front is Pane.STAGE


@pytest.mark.parametrize(("width", "height"), [(60, 20), (120, 40)])
@pytest.mark.parametrize("state", sorted(STATES))
def test_no_click_and_no_wheel_ever_acts(state: str, width: int, height: int, shown: Make) -> None:
    painted = shown(state, width=width, height=height)
    for y in range(height):
        for x in range(0, width, 9):
            for step in (click(painted, x, y), wheel(painted, x, y, down=True), wheel(painted, x, y, down=False)):
                assert (step.commands, step.errand, step.quits) == ((), None, False)
                assert step.view.overlay is step.view.prompt is None


def test_a_click_in_a_pause_selects_and_enter_chooses(shown: Make) -> None:
    paused = shown("paused")
    selected = follow(paused, click(paused, *at(paused, "use-value")).view)
    assert selected.page.cursor == "1/1"
    pause = STATES["paused"].pause
    assert pause is not None
    frames = [row.call for row in pause.frames]
    frame = follow(paused, click(paused, *at(paused, f"   {frames[-1]}")).view)
    assert frame.scene.view.looks(frame.scene.stage_name).frame == len(frames) - 1
    assert click(paused, *at(paused, "Restarts of level")).view is paused.scene.view


def test_touching_a_pause_with_the_mouse_keeps_it(shown: Make) -> None:
    auto = shown(replace(STATES["choosing"], mode=Mode.AUTO, held=False))
    assert click(auto, *at(auto, "use-value")).commands == (Hold(),)
    assert click(auto, *at(auto, "Goals")).commands == ()


def test_the_wheel_moves_what_is_under_the_pointer(shown: Make) -> None:
    wide = shown("ready", width=120, height=24)
    x, y = at(wide, "8%: 100.00")
    turned = follow(wide, wheel(wide, x, y, down=True).view)
    assert turned.scene.view.front is Pane.STAGE
    assert turned.pages[Pane.GOALS].cursor == "goal clothing total is 108.00"
    narrow = shown("ready", height=16)
    down = follow(narrow, wheel(narrow, 40, 8, down=True).view)
    assert (down.page.top, follow(down, wheel(down, 40, 8, down=False).view).page.top) == (3, 0)


def test_while_somebody_types_the_mouse_scrolls_and_selects_in_menus_alone(shown: Make) -> None:
    _, _, typing = keys(shown("ready", height=16), "i", "text a")
    assert click(typing, *at(typing, "Goals")).view is typing.scene.view
    assert follow(typing, wheel(typing, 40, 6, down=True).view).page.top == 3
    _, _, menu = keys(shown("ready"), "?")
    chosen = follow(menu, click(menu, *at(menu, "no: reject")).view)
    assert (chosen.scene.sheet, chosen.page.cursor) == (Sheet.KEYS, "r")
    assert click(menu, *at(menu, "Revisions")).view is menu.scene.view
    _, _, editing = keys(shown("ready"), "e")
    assert click(editing, 10, 6).view is editing.scene.view
    draft = wheel(editing, 10, 6, down=True).view.draft
    assert draft is not None
    assert draft.form.row == len(draft.form.lines) - 1


async def test_the_terminals_mouse_arrives(stand: Callable[..., Any]) -> None:
    made = stand("ready")
    async with made.app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        made.clock.at += 1.0
        await pilot.click(offset=(6, 3))
        await pilot.pause()
        shown = made.app.screen.shown
        assert (shown.scene.view.front, shown.page.cursor) == (Pane.GOALS, "goal 5%: 100.00 costs 105.00")
        await pilot.press("f2")
        made.clock.at += 1.0
        await pilot.press("a")
        assert [type(command) for command in made.engine.sent] == [Accept]
