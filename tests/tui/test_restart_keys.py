"""Choosing a restart: its row, its values, and what is no restart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.keyboard import PAUSED, Make, keys

from jiti_tui.engine.interface.commands import Abandon, Resume
from jiti_tui.engine.interface.snapshot import Pause, RestartRow, Snapshot
from jiti_tui.tui.state.scene import Shown


def restarts(shown: Make, states: dict[str, Snapshot], *rows: RestartRow) -> Shown:
    pause = states["paused"].pause
    assert pause is not None
    return shown(replace(states["paused"], pause=Pause(pause.levels, rows)))


@pytest.mark.parametrize(
    ("least", "most", "pressed", "arguments"),
    [
        (0, 0, [], ()),
        (1, 1, ["text (a b)", "enter"], ("(a b)",)),
        (2, 2, ["text 1", "enter", "text 2", "enter"], ("1", "2")),
        (0, 1, ["enter"], ()),
        (0, 1, ["text 1", "enter"], ("1",)),
        (1, 2, ["text 1", "enter", "enter"], ("1",)),
        (1, None, ["text 1", "enter", "text 2", "enter", "enter"], ("1", "2")),
        (0, None, ["enter"], ()),
    ],
)
def test_a_restart_asks_for_each_of_its_values(
    least: int,
    most: int | None,
    pressed: list[str],
    arguments: tuple[str, ...],
    shown: Make,
    states: dict[str, Snapshot],
) -> None:
    made = restarts(shown, states, RestartRow("1/0", "supply", "Supply values.", least, most))
    sent, step, _ = keys(made, "0", *pressed)
    assert sent == [Resume(PAUSED, "1/0", arguments)]
    assert step.view.prompt is None


def test_a_value_that_is_needed_cannot_be_left_out(shown: Make) -> None:
    sent, _, after = keys(shown("paused"), "1", "enter")
    assert not sent
    prompt = after.scene.view.prompt
    assert prompt is not None
    assert prompt.label == "1/1 use-value needs a value here, a Lisp datum:"
    assert keys(after, *"42", "enter")[0] == [Resume(PAUSED, "1/1", ("42",))]


def test_a_restart_that_a_world_calls_abandon_is_no_abandoning(shown: Make, states: dict[str, Snapshot]) -> None:
    own = RestartRow("1/0", "abandon", "The world's own.", 0, 0)
    made = restarts(shown, states, own, RestartRow("1/1", "abandon", "Drop it.", 0, 0))
    assert keys(made, "0")[0] == [Resume(PAUSED, "1/0")]
    assert keys(made, "1", "enter")[0] == [Abandon(PAUSED, "")]


def test_rows_beyond_the_tenth_are_reached_by_the_cursor(shown: Make, states: dict[str, Snapshot]) -> None:
    rows = [RestartRow(f"1/{number}", "retry", "Again.", 0, 0) for number in range(15)]
    made = restarts(shown, states, *rows)
    assert keys(made, "9")[0] == [Resume(PAUSED, "1/9")]
    assert keys(made, *["down"] * 12, "enter")[0] == [Resume(PAUSED, "1/11")]


def test_a_row_that_was_scrolled_away_comes_into_sight_before_it_acts(shown: Make, states: dict[str, Snapshot]) -> None:
    rows = [RestartRow(f"1/{number}", "retry", "Again.", 0, 0) for number in range(40)]
    made = restarts(shown, states, *rows)
    for name, identity in (("a", "a"), ("0", "1/0"), ("enter", "a")):
        sent, _, after = (
            keys(made, "end", "pagedown", "pagedown", name)
            if name != "enter"
            else keys(made, "pagedown", "pagedown", name)
        )
        assert not sent
        assert after.page.in_sight(identity)
