"""Hand-made snapshots, one for each state of the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fakes.session import (
    BASE,
    CHECKS,
    FOOD_RATE,
    FRAME,
    OUTCOME,
    PAUSE,
    PAUSE_TRIALS,
    PROPOSALS,
    RATES,
    REVISIONS,
    goal,
    proposal,
)

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import (
    Change,
    CheckRow,
    Fate,
    RequestRow,
    Snapshot,
)
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.engine.interface.usage import Usage

_CANDIDATE = {"food total is 102.00": "102.0", "clothing total is 108.00": "108.0"}


def _candidate(check: CheckRow) -> CheckRow:
    return replace(check, candidate_ok=True, candidate_detail=_CANDIDATE.get(check.name, ""))


def _starting() -> Snapshot:
    return Snapshot("sales_tax", "Sales tax calculator")


def _new() -> Snapshot:
    first = RequestRow(1, 3, "Create a sales-tax calculator using a 5% tax rate.")
    return replace(
        BASE,
        phase=Phase.NEW,
        revision=0,
        generation=0,
        attempt=0,
        held=True,
        request=first,
        next_request=first,
        checks=(goal("the tax on 100.00 is 5.00", False, "UNDEFINED-FUNCTION"), goal("5%: 100.00 costs 105.00", False)),
        revisions=REVISIONS[2:],
        proposals=(),
        usage=Usage(),
    )


def _paused() -> Snapshot:
    suggestion = proposal(7, 7, "resume", Fate.WAITING, body="1/2 ((:food . 0.02) (:clothing . 0.08))", tokens=210)
    repair = proposal(6, 6, "repair", Fate.PAUSED, "at level 1", body=FOOD_RATE)
    return replace(
        BASE,
        phase=Phase.PAUSED,
        generation=7,
        attempt=8,
        pause=PAUSE,
        suggestion=suggestion,
        suggested_restart="1/2",
        suggested_arguments=(RATES,),
        trials=PAUSE_TRIALS,
        shown_frame=FRAME,
        proposals=(*PROPOSALS, repair),
    )


def _ready() -> Snapshot:
    log = (
        *PROPOSALS,
        proposal(6, 6, "repair", Fate.TAKEN, body=FOOD_RATE),
        proposal(7, 7, "resume", Fate.READY, body="0/0", tokens=630),
    )
    return replace(
        BASE,
        phase=Phase.READY,
        generation=8,
        attempt=8,
        outcome=OUTCOME,
        checks=tuple(map(_candidate, CHECKS)),
        proposals=log,
    )


def _asks() -> Snapshot:
    waiting = proposal(
        6, 4, "evaluate", Fate.WAITING, body=FOOD_RATE, rationale="The rate depends on the kind.", tokens=99
    )
    return replace(BASE, phase=Phase.ASKS, suggestion=waiting, proposals=(*PROPOSALS, waiting))


CANDIDATES = (
    "(defun food-rate (kind) 0.02)",
    FOOD_RATE,
    "(defun total-price (price rate) 102.0)",
    "(total-price 100.0 :drinks)",
)


def _trial(number: int, passes: str, *definitions: Change, **fields: Any) -> TrialRow:
    """A candidate that returns; `passes` has a "+" or "-" for each check."""
    checks = tuple(replace(check, candidate_ok=sign == "+") for check, sign in zip(CHECKS, passes, strict=True))
    met = passes[:4].count("+"), 4
    forms = CANDIDATES[number - 1]
    fields = {"definitions": definitions, "checks": checks, "goals": met, "seconds": 0.4, **fields}
    return TrialRow(number, "", "", (), forms, TrialState.VALUE, "2", **fields)


def _choose() -> Snapshot:
    """Several answers to one view, each tried: the second is the best, the third breaks an invariant."""
    log = tuple(
        proposal(6 + index, 4, "evaluate", Fate.REJECTED, "another was better", body=forms, tokens=400 + index)
        for index, forms in enumerate(CANDIDATES)
    )
    waiting = replace(log[1], fate=Fate.WAITING, reason="", rationale="FOOD-RATE holds the rates.")
    added, changed = OUTCOME.definitions
    broken = {"broken": ("tax is never negative",), "warnings": ("unused",)}
    trials = (
        _trial(1, "+++-+++", added),
        _trial(2, "+++++++", added, changed),
        _trial(3, "-+++-++", changed, **broken),
        TrialRow(4, "", "", (), CANDIDATES[3], TrialState.PAUSED, "DRINKS fell through.", "TYPE-ERROR"),
    )
    proposals = (*PROPOSALS, log[0], *log[2:], waiting)
    return replace(BASE, phase=Phase.ASKS, suggestion=waiting, proposals=proposals, trials=trials)


def _running(phase: Phase) -> Snapshot:
    running = proposal(6, 4, "evaluate", Fate.RUNNING, body=FOOD_RATE, rationale="The rate depends on the kind.")
    return replace(BASE, phase=phase, attempt=8, proposals=(*PROPOSALS, running))


def _lost() -> Snapshot:
    lost = proposal(6, 4, "evaluate", Fate.LOST, body=FOOD_RATE)
    return replace(
        BASE,
        phase=Phase.RECOVERED,
        held=True,
        reason="Attempt 8 was under way and is lost.",
        proposals=(*PROPOSALS, lost),
    )


STATES: dict[str, Snapshot] = {
    "starting": _starting(),
    "new": _new(),
    "thinking": replace(
        BASE, phase=Phase.THINKING, proposer_busy=True, rationale="The rate should depend on the kind of the item."
    ),
    "asks": _asks(),
    "choose": _choose(),
    "trying": _running(Phase.TRYING),
    "checking": _running(Phase.CHECKING),
    "publishing": replace(_running(Phase.PUBLISHING), outcome=OUTCOME),
    "paused": _paused(),
    "choosing": replace(
        _paused(), suggestion=None, suggested_restart="", suggested_arguments=(), proposer_busy=True, attempt=8
    ),
    "ready": _ready(),
    "met": replace(
        BASE,
        phase=Phase.MET,
        held=True,
        request=RequestRow(2, 3, "Support different tax rates."),
        next_request=BASE.request,
        checks=tuple(replace(check, ok=True, detail="") for check in CHECKS),
    ),
    "recovered": _lost(),
    "held": replace(BASE, held=True),
    "blocked": replace(BASE, phase=Phase.BLOCKED, held=True, reason="The transcript has no more answers."),
}
