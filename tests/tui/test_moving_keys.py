"""Moving between panes and rows, opening and closing what is read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.keyboard import Make, keys

from jiti_tui.engine.interface.commands import Go
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.state.view import Pane, Sheet


@pytest.mark.parametrize(
    ("pressed", "front"),
    [
        (["F3"], Pane.GOALS), (["F4"], Pane.REVISIONS), (["F5"], Pane.PROPOSALS), (["F5", "F2"], Pane.STAGE),
        (["tab"], Pane.GOALS), (["tab", "tab"], Pane.REVISIONS), (["shift+tab"], Pane.PROPOSALS),
        (["tab", "tab", "tab", "tab"], Pane.STAGE), (["F3", "Esc"], Pane.STAGE),
    ],
)  # fmt: skip
@pytest.mark.parametrize("state", ["new", "ready", "paused", "trying"])
def test_panes_come_to_the_front(state: str, pressed: list[str], front: Pane, shown: Make) -> None:
    sent, step, _ = keys(shown(state), *pressed)
    assert not sent
    assert step.view.front is front


@pytest.mark.parametrize(
    ("pane", "sheet", "subject"),
    [
        ("F3", Sheet.CHECK, "goal 8%: 100.00 costs 108.00"),
        ("F4", Sheet.REVISION, 1),
        ("F5", Sheet.PROPOSAL, 6),
    ],
)
def test_enter_opens_the_selected_row_and_esc_goes_back_to_it(
    pane: str, sheet: Sheet, subject: str | int, shown: Make
) -> None:
    _, _, opened = keys(shown("ready"), pane, "down", "enter")
    overlay = opened.scene.overlay
    assert overlay is not None
    assert (overlay.sheet, overlay.subject) == (sheet, subject)
    _, step, back = keys(opened, "Esc")
    assert step.view.overlay is None
    assert back.page.cursor == subject


def test_the_cursor_stays_on_its_row_when_rows_come(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, after = keys(shown("ready"), "F5", "down")
    ready = states["ready"]
    more = replace(ready, proposals=(*ready.proposals, replace(ready.proposals[0], number=99)))
    later = shown(more, after.scene.view)
    assert later.page.cursor == after.page.cursor == 6


def test_long_lists_page(shown: Make, states: dict[str, Snapshot]) -> None:
    row = states["held"].proposals[0]
    many = replace(states["held"], proposals=tuple(replace(row, number=number) for number in range(1, 501)))
    _, _, after = keys(shown(many), "F5", "pagedown", "pagedown", "down")
    assert after.page.cursor == 500 - 2 * (after.page.height - 1) - 1
    assert after.page.in_sight(after.page.cursor)
    _, _, end = keys(after, "end")
    assert end.page.cursor == 1
    assert end.page.top == 500 - end.page.height
    assert keys(end, "home")[2].page.top == 0


def test_what_is_read_scrolls(shown: Make) -> None:
    _, _, after = keys(shown("ready", height=16), "pagedown")
    assert after.page.top > 0
    assert keys(after, "home")[2].page.top == 0
    assert keys(after, "end")[2].page.top == after.page.last_top
    assert keys(after, "home", "down", "down", "up")[2].page.top == 1


def test_changes_open_and_close_and_end_with_their_outcome(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, opened = keys(shown("ready"), "d")
    assert opened.scene.sheet is Sheet.CHANGES
    assert keys(opened, "d")[2].scene.sheet is None
    assert keys(opened, "Esc")[2].scene.sheet is None
    assert shown("met", opened.scene.view).scene.sheet is None
    assert shown(replace(states["ready"], generation=20), opened.scene.view).scene.sheet is None


def test_the_list_of_keys_presses_the_selected_one(shown: Make) -> None:
    _, _, listed = keys(shown("held"), "?")
    assert listed.scene.sheet is Sheet.KEYS
    assert keys(listed, "?")[2].scene.sheet is None
    assert keys(listed, "F1")[2].scene.sheet is None
    identities = [identity for identity, _ in listed.page.choices]
    assert "a" not in identities
    down = ["down"] * identities.index("p")
    sent, _, after = keys(listed, *down, "enter")
    assert sent == [Go()]
    assert after.scene.sheet is None


def test_the_list_of_keys_has_a_gap_behind_each_key(shown: Make) -> None:
    _, _, listed = keys(shown("paused"), "?")
    labels = [line[0].text for line in listed.page.lines[1:]]
    assert any("Left Right" in label for label in labels)
    assert all(label.endswith(" ") for label in labels)


def test_the_list_of_keys_brings_what_acts_to_the_front_first(shown: Make) -> None:
    sent, _, after = keys(shown("ready"), "?", "enter")
    assert not sent
    assert after.scene.stage_in_front
