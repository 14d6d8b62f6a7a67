from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.model.action import Evaluate, InvalidAction, Resume, parse_action

IDLE = frozenset({"evaluate", "inspect", "finish"})
PAUSED = frozenset({"repair", "resume", "abandon", "inspect"})


def evaluate(**changes: Any) -> dict[str, Any]:
    return {"action": {"kind": "evaluate", "generation": 0, "rationale": "why", "forms": "(x)", **changes}}


def test_an_action_is_read_from_text_and_from_what_it_decodes_to() -> None:
    action = parse_action(json.dumps(evaluate()), IDLE)
    assert action == parse_action(evaluate(), IDLE) == Evaluate(generation=0, rationale="why", forms="(x)")
    assert list(action.model_dump()) == ["kind", "generation", "rationale", "forms"]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("repair", {"forms": "(y)"}),
        ("resume", {"restart": "0/1", "arguments": ["1", ":food"]}),
        ("abandon", {}),
        ("inspect", {"expression": "*x*"}),
    ],
)
def test_what_a_pause_allows(kind: str, payload: dict[str, Any]) -> None:
    action = parse_action({"action": {"kind": kind, "generation": 7, "rationale": "", **payload}}, PAUSED)
    assert (action.kind, action.generation) == (kind, 7)


def test_finish() -> None:
    assert parse_action({"action": {"kind": "finish", "generation": 1, "rationale": "done"}}, IDLE).kind == "finish"


def test_a_recorded_answer_may_do_without_a_rationale_and_arguments() -> None:
    action = parse_action({"action": {"kind": "resume", "generation": 1, "restart": "0/0"}}, PAUSED)
    assert action == Resume(generation=1, restart="0/0")
    assert action.arguments == ()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "not JSON"),
        ("Sure! (defun x ...)", "not JSON"),
        ('{"action": ', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "not JSON"),
        ("x" * 5_000_000, "longer than"),
        ("[]", "not an object of the shape"),
        ("null", "not an object of the shape"),
        ('{"kind": "evaluate"}', "not an object of the shape"),
        ({"action": {}}, "kind is None"),
        ({"action": {"kind": ["evaluate"]}}, r"kind is \['evaluate'\]"),
        ({"action": {"kind": "delete" * 50}}, "kind is .*; the kinds are now evaluate"),
        ({**evaluate(), "note": "x"}, "not an object of the shape"),
        (evaluate(kind="repair"), "repair cannot be carried out now; these can: evaluate, inspect, finish"),
        ({"action": {"kind": "evaluate", "generation": 0, "rationale": ""}}, "evaluate lacks its forms"),
        ({"action": {"kind": "evaluate", "rationale": "", "forms": "1"}}, "evaluate lacks its generation"),
        (evaluate(generation=None), "generation of the action evaluate is wrong"),
        (evaluate(generation=True), "generation of the action evaluate is wrong"),
        (evaluate(generation="0"), "generation of the action evaluate is wrong"),
        (evaluate(generation=-1), "generation of the action evaluate is wrong"),
        (evaluate(generation=2**80), "generation of the action evaluate is wrong"),
        (evaluate(forms=""), "forms of the action evaluate is wrong"),
        (evaluate(forms=["(x)"]), "forms of the action evaluate is wrong"),
        (evaluate(forms="x" * 1_048_577), "forms of the action evaluate is wrong"),
        (evaluate(forms="\ud800"), "forms of the action evaluate is wrong"),
        (evaluate(restart="0/0"), "evaluate has no 'restart'"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_what_is_no_action_now(answer: Any, reason: str) -> None:
    with pytest.raises(InvalidAction, match=reason) as raised:
        parse_action(answer, IDLE)
    assert len(str(raised.value)) < 400
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize("arguments", ["1", [1], [None], [""], ["1"] * 51, {"0": "1"}])
def test_arguments_are_a_list_of_texts(arguments: Any) -> None:
    with pytest.raises(InvalidAction, match="arguments"):
        parse_action({"action": {"kind": "resume", "generation": 1, "restart": "0/0", "arguments": arguments}}, PAUSED)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["action", "kind", "generation", "forms"]), inner),
    max_leaves=10,
)


@given(JSON | st.fixed_dictionaries({"action": JSON}) | st.text())
def test_whatever_comes_is_an_action_or_a_reason(answer: Any) -> None:
    try:
        action = parse_action(answer, IDLE)
    except InvalidAction:
        return
    assert action.kind in IDLE
