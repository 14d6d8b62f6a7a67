"""The parts of a hand-made session: the demo's third request, as the design shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import LocalRow, ShownFrame
from jiti_tui.engine.interface.snapshot import (
    Change,
    ChangeSign,
    CheckKind,
    CheckRow,
    Fate,
    FrameRow,
    Outcome,
    Pause,
    PauseLevel,
    ProposalRow,
    RequestRow,
    RestartRow,
    RevisionRow,
    Snapshot,
)
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.engine.interface.usage import Usage

NOW = 1_800_000_000.0
"""The wall clock of these tests, seconds since the epoch."""


def goal(name: str, ok: bool, detail: str = "") -> CheckRow:
    return CheckRow(CheckKind.GOAL, name, "goals.lisp", 3, ok, detail)


def invariant(name: str) -> CheckRow:
    return CheckRow(CheckKind.INVARIANT, name, "invariants.lisp", 1, True)


CHECKS = (
    goal("5%: 100.00 costs 105.00", True),
    goal("8%: 100.00 costs 108.00", True),
    goal("food total is 102.00", False, "TYPE-ERROR"),
    goal("clothing total is 108.00", False, "TYPE-ERROR"),
    invariant("tax is never negative"),
    invariant("food total is never below price"),
    invariant("rates are between 0 and 1"),
)

REVISIONS = (
    RevisionRow(
        2, 1, "~total-price: rate", "Support different tax rates.", "openai gpt-5.1", (2, 2), NOW - 60, 3, True
    ),
    RevisionRow(1, 0, "+sales-tax +total-price", "Create a calculator.", "openai gpt-5.1", (1, 1), NOW - 400, 1),
    RevisionRow(0, None, "base", "", "base", (0, 1), NOW - 430, 0),
)

FOOD_RATE = "(defun food-rate (kind)\n  (ecase kind (:food 0.02) (:clothing 0.08)))"


def proposal(number: int, generation: int, kind: str, fate: Fate, reason: str = "", **fields: Any) -> ProposalRow:
    fields = {"rationale": "", "body": "(total-price 100.0 :food)", "time": NOW - 100, **fields}
    return ProposalRow(number, generation, kind, "openai gpt-5.1", fate, reason, **fields)


PROPOSALS = (
    proposal(1, 0, "evaluate", Fate.ACCEPTED, "as 1"),
    proposal(2, 1, "evaluate", Fate.STALE, "for 1, now 2"),
    proposal(3, 3, "evaluate", Fate.ACCEPTED, "as 2"),
    proposal(4, 5, "evaluate", Fate.RESTORED, "food total is never below price"),
    proposal(5, 5, "evaluate", Fate.PAUSED, "at level 0"),
)

BASE = Snapshot(
    world="sales_tax",
    title="Sales tax calculator",
    phase=Phase.HELD,
    revision=2,
    generation=4,
    attempt=7,
    proposer="openai gpt-5.1",
    costs_money=True,
    held=False,
    request=RequestRow(3, 3, "Use different rates for food and non-food items."),
    checks=CHECKS,
    revisions=REVISIONS,
    proposals=PROPOSALS,
    usage=Usage(attempts=8, tokens=5200),
)

MENU = (
    RestartRow("1/0", "continue", "Retry using *RATES*.", 0, 0),
    RestartRow("1/1", "use-value", "Use specified value.", 1, 1),
    RestartRow("1/2", "store-value", "Set specified value and use it.", 1, 1),
    RestartRow("1/3", "drop-repair", "Drop the latest repair.", 0, 0),
    RestartRow("1/4", "abandon", "Drop attempt 8 and its repair.", 0, 0),
)
STACK = (
    FrameRow("(food-rate :food)", "repair", 2),
    FrameRow("(total-price 100.0 :food)", "definition", 4),
)
"""The repair's own, and that of level 0."""
OUTER_MENU = (
    RestartRow("0/0", "continue", "Retry calling FOOD-RATE.", 0, 0),
    RestartRow("0/1", "use-value", "Call specified function.", 1, 1),
    RestartRow("0/2", "abandon", "Drop attempt 8.", 0, 0),
)
PAUSE = Pause(
    levels=(
        PauseLevel(0, "UNDEFINED-FUNCTION", "The function FOOD-RATE is undefined.", OUTER_MENU, STACK[1:]),
        PauseLevel(1, "UNBOUND-VARIABLE", "The variable *RATES* is unbound.", MENU, STACK[:1]),
    ),
    restarts=MENU,
)
RATES = "((:food . 0.02) (:clothing . 0.08))"
SAME = TrialState.PAUSED, "The variable *RATES* is unbound.", "UNBOUND-VARIABLE"
PAUSE_TRIALS = (
    TrialRow(1, "1/0", "continue", (), "", *SAME, seconds=0.01),
    TrialRow(
        *(2, "1/2", "store-value", (RATES,), ""),
        then=("0/0",),
        state=TrialState.VALUE,
        text="102.0",
        goals=(4, 4),
        checks=tuple(replace(check, candidate_ok=True) for check in CHECKS),
    ),
)
FRAME = ShownFrame(
    *(7, 0, "(food-rate :food)", "repair", 2),
    text="(defun food-rate (kind)\n  (cdr (assoc kind *rates*)))",
    first=1,
    locals=(LocalRow("kind", ":food"),),
)

OUTCOME = Outcome(
    revision=3,
    value="102.0",
    output="",
    warnings=(),
    definitions=(
        Change(ChangeSign.ADDED, "function", "FOOD-RATE", "", FOOD_RATE),
        Change(
            ChangeSign.CHANGED,
            "function",
            "TOTAL-PRICE",
            "(defun total-price (price &optional (kind 0.05))\n  (+ price (sales-tax price rate)))",
            "(defun total-price (price &optional (kind 0.05))\n"
            "  (let ((rate (if (realp kind) kind (food-rate kind))))\n    (+ price (sales-tax price rate))))",
        ),
    ),
    data=(),
    steps=("evaluate", "UNDEFINED-FUNCTION", "repair", "0/0 continue", "value"),
    rationale="FOOD-RATE holds the rates; TOTAL-PRICE takes a kind or a number.",
    verified=True,
)
