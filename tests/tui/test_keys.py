"""What every key does in every state, from what was painted to the commands that follow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.keyboard import ASKS, HELD, MET, NAMES, NEW, PAUSED, READY, Make, keys

from jiti_tui.engine.interface.commands import (
    Abandon,
    Accept,
    AddRequest,
    Command,
    Evaluate,
    Go,
    GoBack,
    Hold,
    Look,
    NextRequest,
    Reject,
    Repair,
    Resume,
    SetMode,
    Stop,
    TakeSuggestion,
)
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.keys.press import press
from jiti_tui.tui.state.step import TOO_LATE
from jiti_tui.tui.state.view import Pane, Sheet, View


@pytest.mark.parametrize(
    ("state", "pressed", "command"),
    [
        ("new", ["p"], Go()),
        ("held", ["p"], Go()),
        ("blocked", ["p"], Go()),
        ("recovered", ["p"], Go()),
        ("thinking", ["p"], Hold()),
        ("trying", ["p"], Hold()),
        ("asks", ["p"], Hold()),
        ("choosing", ["p"], Hold()),
        ("ready", ["a"], Accept(READY)),
        ("ready", ["d", "a"], Accept(READY)),
        ("ready", ["r", "text too clever", "enter"], Reject(READY, "too clever")),
        ("ready", ["r", "enter"], Reject(READY, "")),
        ("asks", ["a"], TakeSuggestion(ASKS)),
        ("asks", ["r", "text no", "enter"], Reject(ASKS, "no")),
        ("paused", ["a"], TakeSuggestion(PAUSED)),
        ("paused", ["enter"], TakeSuggestion(PAUSED)),
        ("paused", ["0"], Resume(PAUSED, "1/0")),
        ("paused", ["down", "enter"], Resume(PAUSED, "1/0")),
        ("paused", ["j", "j", "k", "enter"], Resume(PAUSED, "1/0")),
        ("paused", ["1", "text (list 1 2)", "enter"], Resume(PAUSED, "1/1", ("(list 1 2)",))),
        ("paused", ["2", "text 0.02 ", "enter"], Resume(PAUSED, "1/2", ("0.02",))),
        ("paused", ["4", "text bad idea", "enter"], Abandon(PAUSED, "bad idea")),
        ("paused", ["r", "enter"], Abandon(PAUSED, "")),
        ("paused", ["!", "text (defvar *rates* nil)", "enter"], Repair(PAUSED, "(defvar *rates* nil)")),
        ("choosing", ["0"], Resume(PAUSED, "1/0")),
        ("choosing", ["Esc"], Stop()),
        ("thinking", ["Esc"], Stop()),
        ("trying", ["ctrl+c"], Stop()),
        ("checking", ["Esc"], Stop()),
        ("publishing", ["Esc"], Stop()),
        ("new", ["n", "enter"], NextRequest(NEW)),
        ("met", ["n", "enter"], NextRequest(MET)),
        ("new", ["i", "text Double it.", "enter"], AddRequest("Double it.")),
        ("ready", ["i", "text Double it.", "enter"], AddRequest("Double it.")),
        ("held", [":", "text (f 1)", "enter"], Look("(f 1)")),
        ("paused", [":", "text *rates*", "enter"], Look("*rates*", 0)),
        ("held", ["!", "text (defun f ())", "enter"], Evaluate(HELD, "(defun f ())")),
        ("held", ["m", "down", "enter"], SetMode(Mode.ASK)),
        ("held", ["m", "end", "enter"], SetMode(Mode.AUTO)),
        ("held", ["m", "up", "enter"], SetMode(Mode.REVIEW)),
        ("met", ["u", "down", "u", "enter"], GoBack(MET, 1)),
        ("met", ["F4", "end", "u", "enter"], GoBack(MET, 0)),
    ],
)
def test_a_key_sends_its_command_with_what_was_painted(
    state: str, pressed: list[str], command: Command, shown: Make
) -> None:
    sent, step, _ = keys(shown(state), *pressed)
    assert sent == [command]
    assert step.view.prompt is None


def test_going_back_brings_the_stage_where_its_outcome_will_wait(shown: Make) -> None:
    _, step, _ = keys(shown("met"), "F4", "end", "u", "enter")
    assert step.view.front is Pane.STAGE


@pytest.mark.parametrize(
    ("state", "pressed"),
    [
        ("starting", ["a", "r", "p", "i", ":", "!", "0", "e", "d", "n", "u", "Esc", "enter", "9"]),
        ("new", ["a", "r", "0", "d", "e", "u", "Esc", "x"]),
        ("thinking", ["a", "r", "0", "d", "enter"]),
        ("trying", ["a", "r", "0", "d", "e", "!", "n", "u"]),
        ("checking", ["a", "r", "0", "d", "e", "!", "n", "u"]),
        ("paused", ["5", "9", "n", "u", "Esc"]),
        ("choosing", ["a", "enter"]),
        ("ready", ["0", "u", "n", "enter", "Esc", "!"]),
        ("met", ["a", "r", "p", "0", "Esc"]),
        ("held", ["a", "r", "0", "d", "n", "Esc"]),
        ("blocked", ["a", "r", "0"]),
    ],
)
def test_a_key_with_nothing_to_do_does_nothing(state: str, pressed: list[str], shown: Make) -> None:
    for name in pressed:
        sent, step, _ = keys(shown(state), name)
        assert not sent, name
        assert step.view.prompt is None, name
        told_so = state in ("starting", "thinking", "trying", "checking")
        assert step.notice == "" or (told_so and step.notice.endswith(": the key did nothing.")), name


ACTING = [
    ("ready", "a"), ("ready", "r"), ("asks", "a"), ("asks", "r"), ("paused", "a"), ("paused", "r"), ("paused", "0"),
    ("paused", "1"), ("paused", "!"),
]  # fmt: skip


@pytest.mark.parametrize(("state", "name"), ACTING)
@pytest.mark.parametrize(
    "elsewhere",
    [
        View(front=Pane.GOALS),
        View(front=Pane.PROPOSALS),
        View().open(Sheet.KEYS),
        View(front=Pane.REVISIONS).open(Sheet.REVISION, 2),
    ],
)
def test_nothing_acts_unseen(state: str, name: str, elsewhere: View, shown: Make) -> None:
    sent, _, after = keys(shown(state, elsewhere), name)
    assert not sent
    assert after.scene.stage_in_front
    assert after.scene.view.prompt is None


@pytest.mark.parametrize(("state", "name"), [*ACTING, ("held", "p"), ("paused", "enter")])
def test_a_stage_that_nobody_can_have_read_yet_is_not_acted_upon(state: str, name: str, shown: Make) -> None:
    step = press(replace(shown(state), seen=False), NAMES.get(name, name))
    assert step.commands == ()
    assert step.view.prompt is None
    assert step.notice == TOO_LATE


def test_going_back_shows_its_revision_first(shown: Make) -> None:
    sent, _, after = keys(shown("met"), "u")
    assert not sent
    assert after.scene.view.front is Pane.REVISIONS
    sent, step, after = keys(after, "u")
    assert not sent
    assert step.notice == "Revision 2 is live. Select an earlier one with the arrows, then u."
    sent, _, after = keys(after, "down", "u", "Esc")
    assert not sent
    assert after.scene.view.prompt is None


def test_a_prompt_is_bound_to_what_was_painted_when_it_was_asked(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, asked = keys(shown("ready"), "r", "text no")
    moved = replace(states["ready"], generation=9)
    later = replace(asked, scene=replace(asked.scene, snapshot=moved))
    sent, _, _ = keys(later, "enter")
    assert sent == [Reject(READY, "no")]


def test_auto_without_a_sandbox_must_be_typed(shown: Make, states: dict[str, Snapshot]) -> None:
    made = shown(replace(states["held"], sandboxed=False))
    _, _, asked = keys(made, "m", "end", "enter")
    assert asked.scene.view.prompt is not None
    assert asked.scene.view.prompt.label == "auto accepts without you, NOT SANDBOXED. Type auto:"
    assert keys(asked, "text auto", "enter")[0] == [SetMode(Mode.AUTO)]
    sent, step, refused = keys(asked, "text y", "enter")
    assert not sent
    assert step.notice == "Not typed: the mode is still review."
    assert keys(refused, "m", "end", "enter", "up")[2].scene.view.typed.text == ""
