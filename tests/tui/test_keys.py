"""What every key does in every state, from what was painted to the commands that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from jiti_tui.engine.commands import (
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
    Painted,
    Reject,
    Repair,
    Resume,
    SetMode,
    Stop,
    TakeSuggestion,
)
from jiti_tui.engine.phase import Mode, Phase
from jiti_tui.engine.snapshot import Pause, RestartRow, Snapshot
from jiti_tui.tui.keys.press import press
from jiti_tui.tui.keys.typing import editing, pasting, typing
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.step import TOO_LATE, Step
from jiti_tui.tui.state.view import Pane, Sheet, View

Make = Callable[..., Shown]

PAUSED = Painted(7, 8, Phase.PAUSED)
READY = Painted(8, 8, Phase.READY)
ASKS = Painted(4, 7, Phase.ASKS)
NEW = Painted(0, 0, Phase.NEW)
MET = Painted(4, 7, Phase.MET)
HELD = Painted(4, 7, Phase.HELD)
NAMES = {":": "colon", "!": "exclamation_mark", "?": "question_mark", "^q": "ctrl+q", "Esc": "escape"}


def follow(shown: Shown, view: View) -> Shown:
    """Paint `shown`'s scene again with another view."""
    scene = replace(shown.scene, view=view)
    return Shown(scene, draw(scene).pages)


def keys(shown: Shown, *pressed: str) -> tuple[list[Command], Step, Shown]:
    """Press keys in turn, "text ..." letter by letter. Return the commands sent, the last step, what is shown."""
    sent: list[Command] = []
    step = Step(shown.scene.view)
    for name in pressed:
        for key, character in _strokes(name, shown):
            prompt = shown.scene.view.prompt
            if shown.scene.view.editing:
                step = editing(shown, key, character)
            elif prompt is not None and prompt.typed:
                step = typing(shown.scene, key, character)
            else:
                step = press(shown, key)
            sent += step.commands
            shown = follow(shown, step.view)
    return sent, step, shown


def _strokes(name: str, shown: Shown) -> list[tuple[str, str | None]]:
    if name.startswith("text "):
        return [(character, character) for character in name[5:]]
    return [(NAMES.get(name, name).lower(), name if len(name) == 1 else None)]


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
        ("paused", ["3", "text bad idea", "enter"], Abandon(PAUSED, "bad idea")),
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
        ("paused", [":", "text *rates*", "enter"], Look("*rates*")),
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
        ("paused", ["4", "9", "d", "n", "u", "Esc"]),
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
        assert step.notice == "", name


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


def restarts(shown: Make, states: dict[str, Snapshot], *rows: RestartRow) -> Shown:
    pause = states["paused"].pause
    assert pause is not None
    return shown(replace(states["paused"], pause=Pause(pause.levels, rows, pause.frames)))


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


def test_a_proposal_is_edited_and_run(shown: Make) -> None:
    _, _, after = keys(shown("asks"), "e", "text ;x", "enter", "Esc")
    assert not after.scene.view.editing
    assert after.scene.sheet is Sheet.DRAFT
    sent, _, done = keys(after, "a")
    body = ";x\n(defun food-rate (kind)\n  (ecase kind (:food 0.02) (:clothing 0.08)))"
    assert sent == [Evaluate(ASKS, body)]
    assert done.scene.overlay is None


def test_in_a_pause_the_draft_is_a_repair(shown: Make) -> None:
    sent, _, _ = keys(shown("paused"), "e", "Esc", "a")
    assert [type(command) for command in sent] == [Repair]


def test_a_draft_waits_while_an_attempt_runs(shown: Make) -> None:
    _, _, left = keys(shown("asks"), "e", "Esc")
    meanwhile = shown("trying", left.scene.view)
    sent, _, _ = keys(meanwhile, "a")
    assert not sent


def test_a_draft_stays_until_it_is_discarded(shown: Make) -> None:
    _, _, left = keys(shown("asks"), "e", "text ;x", "Esc", "Esc", "F5", "F2")
    assert left.scene.view.draft is not None
    _, _, again = keys(left, "e")
    assert again.scene.view.draft == left.scene.view.draft
    _, _, gone = keys(again, "Esc", "r")
    assert gone.scene.view.draft is None
    assert gone.scene.overlay is None


def test_an_empty_draft_is_not_run(shown: Make) -> None:
    sent, step, _ = keys(shown("asks"), "e", "ctrl+k", "delete", "ctrl+k", "Esc", "a")
    assert not sent
    assert step.notice == "The draft is empty. e edits it, r discards it."


def test_a_lost_proposal_and_any_of_the_log_can_be_tried_again(shown: Make) -> None:
    _, _, lost = keys(shown("recovered"), "e")
    assert lost.scene.view.draft is not None
    assert lost.scene.view.draft.form.text.startswith("(defun food-rate (kind)")
    _, _, chosen = keys(shown("held"), "F5", "end", "e", "Esc", "a")
    _, _, opened = keys(shown("held"), "F5", "end", "enter", "e")
    assert chosen.scene.view.draft is not None
    assert opened.scene.view.draft is not None
    assert chosen.scene.view.draft.source == opened.scene.view.draft.source == 1
    _, step, _ = keys(shown("ready"), "F5", "e")
    assert step.notice == "This proposal has no forms to edit."


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


def test_the_list_of_keys_brings_what_acts_to_the_front_first(shown: Make) -> None:
    sent, _, after = keys(shown("ready"), "?", "enter")
    assert not sent
    assert after.scene.stage_in_front


def test_ctrl_q_quits_and_never_asks(shown: Make) -> None:
    for state in ("new", "paused", "ready", "trying"):
        _, step, _ = keys(shown(state), "^q")
        assert step.quits


def test_q_is_a_reminder_and_never_an_action(shown: Make) -> None:
    for state in ("new", "paused", "ready", "trying", "starting"):
        sent, step, _ = keys(shown(state), "q")
        assert (sent, step.quits, step.notice) == ([], False, "q does nothing here. ctrl+q quits.")


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


def test_an_empty_line_sends_nothing(shown: Make) -> None:
    for name in ("i", ":", "!"):
        sent, step, _ = keys(shown("held"), name, "text  ", "enter")
        assert not sent
        assert step.view.prompt is None


def test_what_is_pasted_goes_where_is_typed_and_nowhere_else(shown: Make) -> None:
    _, _, line = keys(shown("held"), ":")
    step = pasting(line.scene, "(f\n\x1b[31m)")
    assert step.view.typed.text == "(f\n\\x1b[31m)"
    _, _, sentence = keys(shown("held"), "i")
    assert pasting(sentence.scene, "Double\nit.").view.typed.text == "Double it."
    _, _, editor = keys(shown("asks"), "e")
    draft = pasting(editor.scene, "a\nb\x07").view.draft
    assert draft is not None
    assert draft.form.text.startswith("a\nb\\x07(defun")
    idle = shown("ready")
    assert pasting(idle.scene, "a").view is idle.scene.view
