"""Quitting, typing and pasting."""

from __future__ import annotations

import pytest
from fakes.keyboard import HELD, PAUSED, Make, follow, keys

from jiti_tui.engine.interface.commands import AddRequest, Command, Evaluate, Look, Repair
from jiti_tui.tui.keys.typing import pasting
from jiti_tui.tui.state.view import Pane


def test_ctrl_q_quits_and_never_asks(shown: Make) -> None:
    for state in ("new", "paused", "ready", "trying"):
        _, step, _ = keys(shown(state), "^q")
        assert step.quits


def test_q_is_a_reminder_and_never_an_action(shown: Make) -> None:
    for state in ("new", "paused", "ready", "trying", "starting"):
        sent, step, _ = keys(shown(state), "q")
        assert (sent, step.quits, step.notice) == ([], False, "q does nothing here. ctrl+q quits.")


def test_a_key_that_comes_before_the_world_is_told_so(shown: Make) -> None:
    for name in ("p", "a", "u"):
        sent, step, _ = keys(shown("starting"), name)
        assert (sent, step.notice) == ([], "The world is still starting: the key did nothing.")
    assert keys(shown("starting"), "x")[1].notice == keys(shown("new"), "a")[1].notice == ""


def test_a_key_that_cannot_act_while_work_is_under_way_is_told_so(shown: Make) -> None:
    for name in ("!", "a", "u"):
        sent, step, _ = keys(shown("trying"), name)
        assert (sent, step.notice) == ([], "Work is under way: the key did nothing.")
    assert keys(shown("trying"), "x")[1].notice == ""


def test_a_question_is_put_away_by_any_other_key(shown: Make) -> None:
    sent, _, after = keys(shown("met"), "n", "F3")
    assert not sent
    assert after.scene.view.prompt is None
    assert after.scene.view.front is Pane.GOALS


def test_typing_edits_leaves_and_recalls(shown: Make) -> None:
    _, _, after = keys(shown("held"), ":", "text (f 12)", "left", "backspace", "text 3", "home", "delete", "text [")
    assert after.scene.view.typed.text == "[f 13)"
    _, _, left = keys(after, "Esc")
    assert left.scene.view.prompt is None
    _, _, again = keys(left, ":")
    assert again.scene.view.typed.text == "[f 13)"
    _, _, sent = keys(again, "enter", ":", "text second", "enter", ":")
    assert sent.scene.view.typed.text == ""
    _, _, recalled = keys(sent, "text dr", "up", "up")
    assert recalled.scene.view.typed.text == "[f 13)"
    assert keys(recalled, "down", "down")[2].scene.view.typed.text == "dr"
    assert keys(recalled, "Esc", "i")[2].scene.view.typed.text == ""


def test_letters_that_are_keys_are_only_letters_while_typing(shown: Make) -> None:
    sent, _, after = keys(shown("ready"), "i", "text ar0?:!")
    assert not sent
    assert after.scene.view.typed.text == "ar0?:!"


FORM = "(defun f ()\n  1) ; one\n\n(f)"


@pytest.mark.parametrize(
    ("state", "name", "command"),
    [("held", ":", Look(FORM)), ("held", "!", Evaluate(HELD, FORM)), ("paused", "!", Repair(PAUSED, FORM))],
)
def test_a_pasted_form_keeps_its_lines(state: str, name: str, command: Command, shown: Make) -> None:
    _, _, asked = keys(shown(state), name)
    pasted = follow(asked, pasting(asked.scene, FORM.replace("\n", "\r") + "\r").view)
    sent, _, after = keys(pasted, "enter")
    assert sent == [command]
    assert keys(after, name, "up")[2].scene.view.typed.text == FORM


def test_enter_breaks_the_line_while_the_form_is_open(shown: Make) -> None:
    sent, _, open_form = keys(shown("held"), ":", "text (f", "enter", "text 1 ; )", "enter")
    assert not sent
    assert open_form.scene.view.typed.text == "(f\n1 ; )\n"
    assert keys(open_form, "text )", "enter")[0] == [Look("(f\n1 ; )\n)")]
    assert keys(open_form, "enter")[0] == [Look("(f\n1 ; )")]
    assert keys(open_form, "up", "up", "end", "text 2")[2].scene.view.typed.text == "(f2\n1 ; )\n"
    assert keys(shown("held"), "i", "text (soon", "enter")[0] == [AddRequest("(soon")]


@pytest.mark.parametrize("name", ["alt+enter", "ctrl+j"])
def test_a_request_may_take_several_lines(name: str, shown: Make) -> None:
    _, _, asked = keys(shown("held"), "i", "text Two rates:", name, "text food 2%")
    pasted = follow(asked, pasting(asked.scene, ",\r\nbooks 5%\n").view)
    sent, _, after = keys(pasted, "enter")
    assert sent == [AddRequest("Two rates:\nfood 2%,\nbooks 5%")]
    _, _, recalled = keys(after, "i", "up")
    assert recalled.scene.view.typed.text == "Two rates:\nfood 2%,\nbooks 5%"
    assert keys(recalled, "up", "up")[2].scene.view.typed.form.row == 0
    assert keys(shown("ready"), "r", "text no", name)[2].scene.view.typed.text == "no"


def test_an_empty_line_sends_nothing(shown: Make) -> None:
    for name in ("i", ":", "!"):
        sent, step, _ = keys(shown("held"), name, "text  ", "enter")
        assert not sent
        assert step.view.prompt is None


def test_what_is_pasted_goes_where_is_typed_and_nowhere_else(shown: Make) -> None:
    _, _, line = keys(shown("held"), ":")
    step = pasting(line.scene, "(f\n\x1b[31m)")
    assert step.view.typed.text == "(f\n\\x1b[31m)"
    _, _, reason = keys(shown("ready"), "r")
    assert pasting(reason.scene, "Double\nit.").view.typed.text == "Double it."
    _, _, editor = keys(shown("asks"), "e")
    draft = pasting(editor.scene, "a\nb\x07").view.draft
    assert draft is not None
    assert draft.form.text.startswith("a\nb\\x07(defun")
    idle = shown("ready")
    assert pasting(idle.scene, "a").view is idle.scene.view


def test_a_paste_that_is_too_long_is_refused_and_never_cut(shown: Make) -> None:
    told = "Nothing was pasted: 65,537 characters, and 65,536 at most go in."
    for place in (keys(shown("held"), ":")[2], keys(shown("ready"), "r")[2], keys(shown("asks"), "e")[2]):
        step = pasting(place.scene, "(f)\n" * 16384 + "\n")
        assert (step.view, step.notice) == (place.scene.view, told)
    _, _, line = keys(shown("held"), ":")
    assert pasting(line.scene, "x" * 65536).view.typed.text == "x" * 65536
    idle = shown("ready")
    assert pasting(idle.scene, "x" * 65537).notice == ""
