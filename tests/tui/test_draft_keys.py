"""Editing a proposal and trying it again."""

from __future__ import annotations

from dataclasses import replace

from fakes.keyboard import ASKS, READY, Make, keys

from jiti_tui.engine.interface.commands import Complete, Evaluate, Repair
from jiti_tui.engine.interface.query_results import Completions, ReadVerdict
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.state.view import Sheet


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


def test_a_ready_outcome_is_edited_and_tried_again(shown: Make) -> None:
    _, _, after = keys(shown("ready"), "e")
    assert after.scene.view.editing
    sent, _, _ = keys(after, "text ;", "Esc", "a")
    assert [type(command) for command in sent] == [Evaluate]
    assert sent[0] == Evaluate(READY, ";(total-price 100.0 :food)")


def test_the_editor_says_whether_the_draft_reads(shown: Make, states: dict[str, Snapshot]) -> None:
    _, _, editing = keys(shown("asks"), "e")
    draft = editing.scene.view.draft
    assert draft is not None
    for ok, reason, told in (
        (True, "", " ✓ reads"),
        (False, "No such package: X.", " ✗ line 1, column 2: No such package: X."),
    ):
        verdict = ReadVerdict(draft.form.text, False, ok, reason, 1, 2)
        read = shown(replace(states["asks"], read_verdict=verdict), editing.scene.view)
        assert "".join(run.text for run in read.page.lines[1]).rstrip() == told
    late = shown(replace(states["asks"], read_verdict=ReadVerdict("(other)", False, True)), editing.scene.view)
    assert "".join(run.text for run in late.page.lines[1]).strip() == ""


def test_tab_completes_names_and_indents_elsewhere(shown: Make, states: dict[str, Snapshot]) -> None:
    sent, _, after = keys(shown("asks"), "e", "tab", "text (tot", "tab")
    assert sent == [Complete("tot")]
    names = Completions("tot", ("total-tax", "total-price"))
    _, _, told = keys(shown(replace(states["asks"], completions=names), after.scene.view))
    assert "".join(run.text for run in told.page.lines[1]).split() == ["▸", "total-tax", "total-price"]
    sent, step, _ = keys(told, "tab")
    assert not sent
    draft = step.view.draft
    assert draft is not None
    assert draft.form.lines[0].startswith("  (total-(defun")
    assert draft.form.column == len("  (total-")
