"""The whole screen as text, from hand-made snapshots, without a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.states import STATES

from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialState
from jiti_tui.engine.interface.waiting import Waiting
from jiti_tui.tui.state.view import Pane, View
from jiti_tui.tui.text.glyphs import ASCII, UNICODE, Glyphs

Rows = Callable[..., list[str]]
PICTURES = Path(__file__).parent / "pictures"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("state", ["ready", "paused"])
def test_the_screen_is_as_it_was_designed(state: str, size: tuple[int, int], rows: Rows) -> None:
    expected = (PICTURES / f"{state}-{size[0]}x{size[1]}.txt").read_text().splitlines()
    assert [row.rstrip() for row in rows(state, *size, glyphs=ASCII)] == expected


@pytest.mark.parametrize("state", STATES)
def test_ascii_draws_with_ascii_alone(state: str, rows: Rows) -> None:
    assert all(row.isascii() for row in rows(state, 120, 40, glyphs=ASCII))


@pytest.mark.parametrize(
    ("state", "badge"),
    [
        ("starting", " WORKING 12 s  » Starting"),
        ("new", " YOUR TURN  ◆ New world. Nothing is sent to a model before p."),
        ("thinking", " WORKING 12 s  » Thinking: the model is asked about request 3."),
        ("asks", " YOUR TURN  ◇ Asks: may the model evaluate?"),
        ("choose", " YOUR TURN  ◆ Choose: 4 candidates for revision 3; number 1 gains 2 goals."),
        ("trying", " WORKING 12 s  » Trying attempt 8"),
        ("checking", " WORKING 12 s  » Checking attempt 8: 7 checks."),
        ("publishing", " WORKING 12 s  » Publishing revision 3"),
        ("paused", " YOUR TURN  ‖ Paused, level 1, model waits: The variable *RATES* is unbound."),
        ("choosing", " WORKING 12 s  ‖ Paused, level 1, model chooses: "),
        ("ready", " YOUR TURN  ◆ Ready: candidate for revision 3 gains 2 goals, loses 0."),
        ("met", " YOUR TURN  ✓ Met: request 2 of 3, 4 of 4 goals. n shows the next one."),
        ("recovered", " YOUR TURN  ↺ Recovered revision 2. Attempt 8 was under way and is lost."),
        ("held", " HELD  ■ Held: the model is asked nothing until p."),
        ("blocked", " YOUR TURN  ✗ Blocked: The transcript has no more answers."),
    ],
)
def test_the_headline_says_whose_turn_it_is(state: str, badge: str, rows: Rows) -> None:
    assert rows(state)[0].startswith(badge)


@pytest.mark.parametrize(
    ("state", "keys"),
    [
        ("starting", " ^q Quit  Tab Panes  ? Keys"),
        ("new", " p Start  i Request  : Evaluate  m Mode  ^q Quit  Tab Panes  ? Keys"),
        ("thinking", " Esc Stop  p Hold  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("choose", " a Take 1  1-4 Select  d Changes  r Reject all  e Edit  Tab Panes  ? Keys"),
        ("asks", " a Run  r Reject  e Edit  w What if  p Hold  Tab Panes  ? Keys"),
        ("paused", " a As model  0-4 Restart  w What if  ! Repair  r Abandon  Tab Panes  ? Keys"),
        ("choosing", " 0-4 Restart  w What if  ! Repair  r Abandon  Esc Stop  Tab Panes  ? Keys"),
        ("ready", " a Accept  r Reject  e Edit  d Changes  Tab Panes  ? Keys"),
        ("met", " n Next  i Request  : Evaluate  u Go back  Tab Panes  ? Keys"),
        ("recovered", " p Go on  e Edit lost  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("held", " p Go on  m Mode  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("blocked", " p Try again  m Mode  i Request  : Evaluate  Tab Panes  ? Keys"),
    ],
)
def test_the_footer_shows_what_can_be_done(state: str, keys: str, rows: Rows) -> None:
    assert rows(state)[-1].rstrip() == keys
    assert len(keys) <= 79


def test_several_answers_are_told_while_they_are_tried(rows: Rows, states: dict[str, Snapshot]) -> None:
    first, *others = states["choose"].trials
    tried = replace(states["trying"], trials=(replace(first, state=TrialState.RUNNING), *others))
    text = rows(tried)
    assert text[0].startswith(" WORKING 12 s  » Trying 4 answers side by side, each in a copy of the world.")
    assert [row[41:].strip() for row in text[6:10]] == [
        "» trying", "▲ value: gains 2", "✗ breaks tax is never negative", "‖ pauses: TYPE-ERROR",
    ]  # fmt: skip


def test_a_wait_counts_down_and_says_which_key_ends_it(rows: Rows, states: dict[str, Snapshot]) -> None:
    waiting = Waiting(1_800_000_007.0, "The provider is overloaded.")
    thinking = rows(replace(states["thinking"], waiting=waiting))
    assert thinking[0].startswith(" WORKING 12 s  » Waiting: the model is asked again soon; p asks it now.")
    assert any("in 7 s; p asks now. The provider is overloaded." in row for row in thinking)
    assert thinking[-1].startswith(" Esc Stop  p Now ")
    assert any(
        "the model is asked again in 7 s: p asks now" in row
        for row in rows(replace(states["choosing"], waiting=waiting))
    )


def test_a_held_pause_says_how_the_model_is_asked(rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["paused"], suggestion=None, suggested_restart="", suggested_arguments=(), held=True))
    assert any("the model is held: p asks it" in row for row in text)
    assert text[-1].rstrip() == " 0-4 Restart  w What if  ! Repair  r Abandon  p Go on  Tab Panes  ? Keys"


def test_a_pause_without_frames_has_no_stack(rows: Rows, states: dict[str, Snapshot]) -> None:
    pause = states["paused"].pause
    assert pause is not None
    bare = replace(pause, levels=tuple(replace(level, frames=()) for level in pause.levels))
    assert not any("Stack" in row for row in rows(replace(states["paused"], pause=bare)))


def test_the_footer_follows_the_pane_in_front(rows: Rows) -> None:
    feet = [rows("ready", view=View(front=pane))[-1].rstrip() for pane in list(Pane)[1:]]
    assert feet == [
        " F2 Review  Enter Source  o Editor  / Filter  Tab Panes  ? Keys",
        " F2 Review  Enter Evidence  Space Mark  d Compare  x Export  Tab Panes  ? Keys",
        " F2 Review  Enter Read  e Try again  f Outcome  / Filter  Tab Panes  ? Keys",
    ]
    assert rows("met", view=View(front=Pane.REVISIONS))[-1].startswith(" F2 Met  Enter Evidence  u Go back ")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_sixty_columns_cut_no_word_that_matters(state: str, glyphs: Glyphs, rows: Rows) -> None:
    text = rows(state, 60, 20, glyphs=glyphs)
    if state not in ("paused", "choosing", "recovered"):  # there the stage says the whole of it
        assert glyphs.ellipsis not in text[0]
    assert text[2].split()[-2] == "Proposals"
    assert text[-1].rstrip().endswith("Tab Panes  ? Keys")
    assert not any(glyphs.arrow in row and row.rstrip().endswith(glyphs.ellipsis) for row in text)
