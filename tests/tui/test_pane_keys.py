"""Keys of the lists: filter, outcome, mark, compare, export, editor, the neighbour, zoom, copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fakes.keyboard import Make, follow, keys

from jiti_tui.engine.interface.commands import Compare, ExportRevision, ShowRevision, TraceCheck
from jiti_tui.engine.interface.query_results import Compared, ShownRevision, TracedCheck
from jiti_tui.engine.interface.snapshot import Change, ChangeSign, CheckKind, Fate, Snapshot
from jiti_tui.tui.state.errand import CopyText, OpenFile, Repaint, Suspend, UseTheme
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import Pane, Sheet

States = dict[str, Snapshot]


def text(shown: Shown) -> str:
    """The page in front, as text."""
    return "\n".join("".join(run.text for run in line) for line in shown.page.lines)


def test_a_filter_follows_the_letters_and_esc_clears_it(shown: Make) -> None:
    _, _, seeking = keys(shown("ready"), "F5", "/", "text ACC")
    assert [number for number, _ in seeking.page.choices] == [3, 1]
    _, _, moved = keys(seeking, "down")
    assert moved.page.cursor == 1
    _, _, kept = keys(moved, "enter")
    assert (kept.page.title, kept.page.cursor) == ("Proposals 2/7 /ACC", 1)
    _, _, nothing = keys(kept, "/", "text zzz")
    assert "Nothing matches. Esc clears the filter." in text(nothing)
    _, _, left = keys(nothing, "Esc")
    assert len(left.page.choices) == 2
    _, _, cleared = keys(left, "Esc")
    assert (cleared.scene.view.front, len(cleared.page.choices)) == (Pane.PROPOSALS, 7)


def test_goals_and_revisions_are_filtered_by_what_they_say(shown: Make) -> None:
    _, _, goals = keys(shown("ready"), "F3", "/", "text food")
    assert [name for name, _ in goals.page.choices] == [
        "goal food total is 102.00",
        "invariant food total is never below price",
    ]
    _, _, revisions = keys(shown("ready"), "F4", "/", "text sales-tax", "enter")
    assert [number for number, _ in revisions.page.choices] == [1]


def test_proposals_of_one_outcome_are_chosen_from_a_menu(shown: Make) -> None:
    _, _, menu = keys(shown("ready"), "F5", "f")
    assert menu.scene.sheet is Sheet.OUTCOMES
    _, _, chosen = keys(menu, "down", "down", "enter")
    assert chosen.scene.view.lists.fate is Fate.ACCEPTED
    assert chosen.page.title == "Proposals 2/7 accepted"
    assert len(keys(chosen, "Esc")[2].page.choices) == 7


def test_two_marked_revisions_are_compared(shown: Make) -> None:
    _, step, marked = keys(shown("met"), "F4", "space", "down", "down", "space")
    assert step.notice == "Marked 0 and 2. d compares."
    sent, _, comparing = keys(marked, "d")
    assert sent == [Compare(0, 2)]
    assert "They are being compared." in text(comparing)
    assert keys(marked, "space")[2].scene.view.lists.marked == (2,)
    third = keys(marked, "up", "space")[2]
    assert third.scene.view.lists.marked == (0, 1)


def test_a_revision_is_compared_with_its_parent_unless_that_was_pruned(shown: Make, states: States) -> None:
    assert keys(shown("met"), "F4", "d")[0] == [Compare(1, 2)]
    assert keys(shown("met"), "F4", "end", "d")[0] == [Compare(None, 0)]
    pruned = replace(states["met"], revisions=states["met"].revisions[:1], lowest_revision=2)
    sent, step, after = keys(shown(pruned), "F4", "d")
    assert (sent, step.notice) == ([], "Revision 1 was pruned: mark two that are there with Space.")
    assert "0 to 1  pruned on purpose" in text(after)


def test_what_differs_is_shown_once_it_is_known(shown: Make, states: States) -> None:
    change = Change(ChangeSign.CHANGED, "function", "TAX", "(defun tax ()\n  1)", "(defun tax ()\n  2)")
    known = replace(states["met"], compared=Compared(1, 2, (change,)))
    _, _, comparing = keys(shown(known), "F4", "d")
    assert "~tax (function)" in text(comparing)
    assert "-  1)" in text(comparing)
    copied = keys(comparing, "y")[1].errand
    assert copied == CopyText("the difference", " (defun tax ()\n-  1)\n+  2)\n")
    failed = replace(known, compared=Compared(1, 2, (), "Revision 1 does not import."))
    assert "Revision 1 does not import." in text(keys(shown(failed), "F4", "d")[2])


def test_evidence_comes_into_the_sheet_and_neighbours_follow(shown: Make, states: States) -> None:
    sent, _, opened = keys(shown("met"), "F4", "enter")
    assert sent == [ShowRevision(2)]
    assert "It is being read." in text(opened)
    told = ShownRevision(2, ("evaluate (for generation 3)", "    (defun \x1b[2Jx ())"), left=7)
    known = follow(
        replace(opened, scene=replace(opened.scene, snapshot=replace(states["met"], shown_revision=told))),
        opened.scene.view,
    )
    assert "(defun \\x1b[2Jx ())" in text(known)
    assert "7 more lines are not shown." in text(known)
    sent, _, older = keys(known, "left")
    assert sent == [ShowRevision(1)]
    assert older.page.title == "Revision 1"
    assert keys(known, "right")[1].notice == "There is no other one on this side."


def test_a_revision_is_exported_to_a_directory_that_is_asked_for(shown: Make) -> None:
    assert keys(shown("met"), "F4", "down", "x", "enter")[0] == [ExportRevision(1, "rev-1")]
    assert keys(shown("met"), "F4", "x", "text out/two", "enter")[0] == [ExportRevision(2, "out/two")]


def test_a_goal_tells_since_when_it_stands_so(shown: Make, states: States) -> None:
    sent, _, opened = keys(shown("ready"), "F3", "down", "down", "enter")
    assert sent == [TraceCheck(CheckKind.GOAL, "food total is 102.00")]
    assert "it is being looked up" in text(opened)
    traced = TracedCheck(CheckKind.GOAL, "food total is 102.00", False, 2, 1, "=> 3")
    known = replace(states["ready"], traced=traced)
    assert "since revision 2; in revision 1 it was otherwise (=> 3)" in text(
        keys(shown(known), "F3", "down", "down", "enter")[2]
    )


def test_o_opens_the_file_of_the_goal(shown: Make, states: States) -> None:
    first = states["ready"].checks[0]
    assert keys(shown("ready"), "F3", "o")[1].errand == OpenFile(first.file, first.line)
    assert keys(shown("ready"), "F3", "enter", "o")[1].errand == OpenFile(first.file, first.line)
    assert keys(shown(replace(states["ready"], checks=())), "F3", "o")[1].errand == OpenFile("goals.lisp")
    assert keys(shown("ready"), "o")[1].errand is None


def test_zoom_gives_the_whole_screen_and_takes_it_back(shown: Make) -> None:
    _, _, wide = keys(shown("ready", width=120, height=40), "F5", "z")
    assert (wide.scene.wide, wide.scene.view.front) == (False, Pane.PROPOSALS)
    assert keys(wide, "z")[2].scene.wide
    narrow = keys(shown("ready"), "z")[2]
    assert narrow.scene.bare
    assert not keys(narrow, "Esc")[2].scene.bare


def test_copy_takes_what_is_looked_at(shown: Make, states: States) -> None:
    suggestion = states["asks"].suggestion
    assert suggestion is not None
    assert keys(shown("asks"), "y")[1].errand == CopyText("the proposal", suggestion.body)
    ready = keys(shown("ready"), "y")[1].errand
    assert isinstance(ready, CopyText)
    assert "+(defun food-rate (kind)" in ready.text
    held = keys(shown("held"), "y")[1].errand
    assert isinstance(held, CopyText)
    assert (held.what, "Request 3 of 3" in held.text) == ("the page", True)


def test_keys_of_the_terminal_work_everywhere(shown: Make) -> None:
    for state in ("new", "paused", "ready", "trying"):
        assert keys(shown(state), "ctrl+l")[1].errand == Repaint()
        assert keys(shown(state), "ctrl+z")[1].errand == Suspend()


def test_the_palette_has_what_can_be_done_and_runs_it(shown: Callable[..., Shown]) -> None:
    _, _, opened = keys(shown("held", themes=("dark", "light")), "^p")
    assert opened.scene.sheet is Sheet.PALETTE
    _, step, after = keys(opened, "text theme li", "enter")
    assert (step.errand, after.scene.sheet) == (UseTheme("light"), None)
    _, _, modes = keys(opened, "text mode ask")
    assert [name for name, _ in modes.page.choices] == ["mode ask"]
    assert keys(modes, "Esc")[2].scene.sheet is None
    assert keys(opened, "text nothing like it", "enter")[2].scene.sheet is Sheet.PALETTE
    assert keys(opened, "text show prop", "enter")[2].scene.view.front is Pane.PROPOSALS


def test_the_list_of_keys_is_narrowed_by_typing(shown: Make) -> None:
    _, _, narrowed = keys(shown("ready"), "?", "text changes full")
    assert [name for name, _ in narrowed.page.choices] == ["d"]
    assert keys(narrowed, "enter")[2].scene.sheet is Sheet.CHANGES
