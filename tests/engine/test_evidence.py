"""What evidence says about how to make a revision again: the accepted attempt alone, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from jiti_tui.engine.records.evidence import Evaluation, GoingBack, RepairStep, ResumeStep, Step, accepted_steps

Record = dict[str, Any]

ATTEMPT: Record = {"event": "attempt", "number": 1}
VALUE: Record = {"event": "value", "value": "1"}


def proposal(kind: str, forms: str = "", **more: Any) -> Record:
    return {"event": "proposal", "action": {"kind": kind, "forms": forms, **more}}


def paused(*restarts: str) -> Record:
    rows = [{"id": f"0/{index}", "name": name} for index, name in enumerate(restarts)]
    return {"event": "paused", "level": 0, "restarts": rows}


def resumed(restart: str, name: str, *arguments: str) -> Record:
    return {"event": "resumed", "restart": restart, "name": name, "arguments": list(arguments) or None}


@pytest.mark.parametrize(
    ("events", "steps"),
    [
        ([], []),
        ([{"event": "dropped", "records": 9}, VALUE], []),
        ([proposal("evaluate", "a"), ATTEMPT, VALUE], [Evaluation("a")]),
        (
            [
                proposal("evaluate", "a"),
                ATTEMPT,
                VALUE,
                {"event": "restored"},
                proposal("evaluate", "b"),
                ATTEMPT,
                VALUE,
            ],
            [Evaluation("b")],
        ),
        ([proposal("evaluate", "a"), {"event": "stale"}, proposal("evaluate", "b"), ATTEMPT], [Evaluation("b")]),
        ([{"event": "proposal", "action": {"kind": "go-back", "revision": 2}}, ATTEMPT], [GoingBack(2)]),
        (
            [
                proposal("evaluate", "a"),
                ATTEMPT,
                paused("use-value", "retry", "use-value"),
                proposal("inspect"),
                {"event": "inspected", "value": "3"},
                proposal("repair", "bad"),
                {"event": "invalid"},
                proposal("repair", "r"),
                {"event": "repaired"},
                proposal("resume", restart="0/2", arguments=["1"]),
                resumed("0/2", "use-value", "1"),
                VALUE,
            ],
            [Evaluation("a"), RepairStep("r"), ResumeStep("use-value", 1, ("1",))],
        ),
        (
            [
                proposal("evaluate", "a"),
                ATTEMPT,
                paused("retry"),
                proposal("repair", "deeper"),
                paused("drop-repair", "retry"),
                proposal("resume", restart="0/0"),
                resumed("0/0", "drop-repair"),
                proposal("repair", "r"),
                {"event": "repaired"},
                resumed("0/0", "retry"),
            ],
            [
                Evaluation("a"),
                RepairStep("deeper"),
                ResumeStep("drop-repair", 0, ()),
                RepairStep("r"),
                ResumeStep("retry", 0, ()),
            ],
        ),
        (
            [
                proposal("evaluate", "a"),
                ATTEMPT,
                paused("retry"),
                {"event": "abandoned"},
                {"event": "restored"},
                proposal("evaluate", "b"),
                ATTEMPT,
            ],
            [Evaluation("b")],
        ),
    ],
)
def test_the_steps_of_the_accepted_attempt(events: list[Record], steps: list[Step]) -> None:
    assert accepted_steps(events) == steps
