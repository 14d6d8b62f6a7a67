from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.model.prompt import prompt
from jiti_tui.model.rules import RULES
from jiti_tui.model.tokens import estimate
from jiti_tui.model.view import Check, Datum, Definition, Frame, Restart, View

BUDGET = 20_000


def test_what_is_stable_comes_first(idle: View) -> None:
    words = prompt(idle, BUDGET)
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
    later = prompt(replace(idle, generation=6, outcomes=("Stale.",), request="Another one."), BUDGET)
    assert later.input.split("# Request")[0] == words.input.split("# Request")[0]


def test_the_prompt_says_what_an_answer_needs(idle: View) -> None:
    text = prompt(idle, BUDGET).input
    assert "(defun sales-tax (price rate) (* price rate))" in text
    assert "goal FAILS: food total is 102.00 | TYPE-ERROR" in text
    assert "the tax on 100.00 is 5.00" not in text
    assert "broke" in text
    assert "kinds: evaluate, finish, inspect. Its generation is 4." in text


def test_what_is_not_there_leaves_no_empty_fence(paused: View) -> None:
    assert paused.paused
    text = prompt(replace(paused, paused=replace(paused.paused, frames=(), output="")), BUDGET).input
    assert "Stack" not in text
    assert "Output" not in text
    assert "```\n\n```" not in text


def test_base_code_is_named_and_what_comes_first_described(idle: View) -> None:
    base = tuple(Definition("function", f"f{n}", "", "", f"(f{n} x)", "What it does.") for n in range(30))
    assert "function (f29 x) | What it does." in prompt(replace(idle, base=base), BUDGET).input
    text = prompt(replace(idle, base=base), BUDGET // 8).input
    assert "function (f0 x) | What it does." in text
    assert "\nfunction f29\n" in text


def test_a_pause_is_shown(paused: View) -> None:
    text = prompt(paused, BUDGET).input
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
    section = prompt(view, BUDGET).input.split("# Definitions\n\n", 1)[1]
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
    for budget in (2_000, BUDGET):
        assert estimate(prompt(view, budget).input) < budget + 300


def test_a_large_world_is_shown_by_its_first_lines(idle: View) -> None:
    large = Definition("function", "large", "W", "x" * 100_000, "(large x)", "Says\n  much.")
    text = prompt(replace(idle, definitions=(large, *idle.definitions)), BUDGET).input
    assert "function (large x) | Says much." in text
    assert "(defun sales-tax" not in text


def test_in_a_large_world_the_source_of_what_matters_is_shown(idle: View) -> None:
    def function(name: str, calls: str) -> Definition:
        return Definition("function", name, "W", f"(defun {name} () ({calls}))", f"({name})")

    named = [function("total-price", "w::inner"), function("inner", "deepest"), function("deepest", "f1")]
    crowd = [function(f"f{number}", "x" * 500) for number in range(2, 200)]
    check = Check("goal", "food total is 102.00", False, "NIL", True, "(= (total-price 1) 2)")
    view = replace(idle, definitions=(*crowd, *named), checks=(check,))
    source = prompt(view, BUDGET).input.split("# Source of what this is about")[1].split("# Checks")[0]
    assert [f"(defun {d.name} " in source for d in (*named, crowd[0])] == [True, True, True, False]
    assert "(= (total-price 1) 2)" in prompt(view, BUDGET).input


def test_the_newest_outcomes_stay(idle: View) -> None:
    outcomes = tuple(f"outcome {number} {'y' * 5000}" for number in range(9))
    text = prompt(replace(idle, outcomes=outcomes), BUDGET).input
    assert "outcome 8" in text
    assert "outcome 0" not in text
