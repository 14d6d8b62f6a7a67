from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.model.prompt import DEFINITIONS, prompt
from jiti_tui.model.rules import RULES
from jiti_tui.model.view import Check, Datum, Definition, Frame, Restart, View


def test_what_is_stable_comes_first(idle: View) -> None:
    words = prompt(idle)
    assert words.instructions == RULES
    headings = [line for line in words.input.splitlines() if line.startswith("# ")]
    assert headings == [
        "# World",
        "# Definitions",
        "# Data",
        "# Request",
        "# Checks in the accepted world",
        "# What became of the last answers, oldest first",
        "# Answer",
    ]
    later = prompt(replace(idle, generation=6, outcomes=("Stale.",), request="Another one."))
    assert later.input.split("# Request")[0] == words.input.split("# Request")[0]


def test_the_prompt_says_what_an_answer_needs(idle: View) -> None:
    text = prompt(idle).input
    assert "(defun sales-tax (price rate) (* price rate))" in text
    assert "goal FAILS: food total is 102.00 | TYPE-ERROR" in text
    assert "the tax on 100.00 is 5.00" not in text
    assert "broke" in text
    assert "kinds: evaluate, finish, inspect. Its generation is 4." in text


def test_what_is_not_there_leaves_no_empty_fence(paused: View) -> None:
    assert paused.paused
    text = prompt(replace(paused, paused=replace(paused.paused, frames=(), output=""))).input
    assert "Stack" not in text
    assert "Output" not in text
    assert "```\n\n```" not in text


def test_a_pause_is_shown(paused: View) -> None:
    text = prompt(paused).input
    assert "# Paused at level 1" in text
    assert "UNBOUND-VARIABLE: The variable *RATES* is unbound." in text
    assert "1/1 use-value (1 argument): Use specified value." in text
    assert "(food-rate :food)    repair 1" in text
    assert "half a line" in text
    assert "kinds: abandon, inspect, repair, resume." in text
    assert "`finish` ends it" in text


@given(st.text(alphabet="`\n#a", min_size=1) | st.text(min_size=1))
def test_text_of_the_world_cannot_end_its_fence(text: str) -> None:
    view = View("w", ("W",), 0, 0, "r", definitions=(Definition("function", "f", "W", text),))
    section = prompt(view).input.split("# Definitions\n\n", 1)[1]
    fence, rest = section.split("\n", 1)
    assert set(fence) == {"`"}
    assert rest.startswith(f"{text}\n{fence}\n\n# Data")


def test_the_size_is_bounded_whatever_the_world_holds(paused: View) -> None:
    long = "x" * 100_000
    assert paused.paused
    view = replace(
        paused,
        world=long,
        packages=(long, "B") * 500,
        request=long,
        goals=(long,) * 500,
        definitions=tuple(
            Definition("function", long, "W", f"(defun f{number} () {'1' * 500})") for number in range(1000)
        ),
        data=(Datum(long, long),) * 500,
        checks=(Check("goal", long, False, long, True),) * 500,
        outcomes=(long,) * 500,
        paused=replace(
            paused.paused,
            type=long,
            condition=long,
            restarts=(Restart("1/0", long, long, 0, None),) * 500,
            frames=(Frame(long, long),) * 500,
            output=long,
        ),
    )
    assert len(prompt(view).input) < 250_000


def test_definitions_that_do_not_fit_are_named(idle: View) -> None:
    large = Definition("function", "large", "W", "x" * (DEFINITIONS + 1))
    text = prompt(replace(idle, definitions=(large, *idle.definitions))).input
    assert "function large" in text
    assert "(defun sales-tax" in text


def test_the_newest_outcomes_stay(idle: View) -> None:
    outcomes = tuple(f"outcome {number} {'y' * 5000}" for number in range(9))
    text = prompt(replace(idle, outcomes=outcomes)).input
    assert "outcome 8" in text
    assert "outcome 0" not in text
