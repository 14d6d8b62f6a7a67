"""Answers that lead nowhere: invalid ones in a row, the same one again, one world and back."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.deciding.judgement import Judgement
from jiti_tui.model.action import Evaluate, Inspect
from jiti_tui.model.view import View

VIEW = View("w", ("W",), 3, 1, "r")


def evaluate(forms: str, generation: int = 3) -> Evaluate:
    return Evaluate(generation=generation, forms=forms, rationale=f"because of {generation}")


def test_three_invalid_answers_in_a_row_are_the_end() -> None:
    judgement = Judgement()
    for valid_after in (2, 2):
        for _ in range(valid_after):
            judgement.invalid()
        assert judgement.stop == ""
        judgement.valid()
    for _ in range(3):
        judgement.invalid()
    assert judgement.stop == "The proposer gave 3 answers in a row that cannot be carried out."
    judgement.forgive()
    assert judgement.stop == ""


def test_the_same_answer_to_the_same_view_is_told_and_then_the_end() -> None:
    judgement = Judgement()
    later = replace(VIEW, generation=5, outcomes=("Abandoned.",), transcript_line=2)
    assert judgement.repeats(VIEW, evaluate("(f)")) == ""
    assert judgement.repeats(VIEW, evaluate("(g)")) == ""
    assert judgement.repeats(VIEW, Inspect(generation=3, expression="(f)")) == ""
    assert "given the same evaluate" in judgement.repeats(later, evaluate("(f)\n", 5))
    assert judgement.stop == ""
    assert judgement.repeats(later, evaluate("(f)", 5))
    assert judgement.stop == "The proposer gave the same answer 3 times to the same view."


def test_another_world_is_another_view() -> None:
    judgement = Judgement()
    for number in range(5):
        assert judgement.repeats(replace(VIEW, request=f"{number}"), evaluate("(f)")) == ""


def test_back_and_forth_between_two_worlds_is_noticed() -> None:
    judgement = Judgement()
    assert [judgement.accepted(text, number) != "" for number, text in enumerate("abca")] == [0, 0, 0, 1]
    assert judgement.stop == ""
    assert judgement.accepted("b", 4)
    assert judgement.stop == "The proposer goes back and forth between the same worlds."


def test_recorded_answers_are_not_judged() -> None:
    judgement = Judgement()
    judgement.lenient = True
    for number in range(9):
        judgement.invalid()
        assert judgement.repeats(VIEW, evaluate("(f)")) == ""
        assert judgement.accepted("ab"[number % 2], number) == ""
    assert judgement.stop == ""
