"""Several answers to one view, tried side by side: the best goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.answering import Answering

from jiti_tui.budget import Budgets
from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.asker import Asker
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.desk import Answered, Desk
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate, Snapshot
from jiti_tui.errors import ProposerError
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View

Open = Callable[..., Any]

WANTED = 'packages = ["PLAIN"]\n[[requests]]\ntext = "Define f and g."\n'
LARGE = '(defun f () "Says more than it must." 1) (defun g () 2)'
SMALL = "(defun f () 1) (defun g () 2)"


@pytest.fixture
def wanting(plain_world: Path) -> Path:
    (plain_world / "world.toml").write_text(WANTED)
    (plain_world / "goals.lisp").write_text('(goal "f" (= (f) 1))\n(goal "g" (= (g) 2))\n')
    (plain_world / "invariants.lisp").write_text('(invariant "no h" (not (fboundp \'h)))\n')
    return plain_world


def evaluate(forms: str) -> dict[str, Any]:
    return {"kind": "evaluate", "forms": forms, "rationale": forms}


def test_the_best_of_several_is_accepted(wanting: Path, open_session: Open) -> None:
    answers = [evaluate(text) for text in ("(defun f () 1)", LARGE, SMALL, f"{SMALL} (defun h () 3)", "(defun f ")]
    model = Answering(*answers, proposals=5, tokens=Tokens(8, 0, 2))
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    met = operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET)
    assert met.proposals[-1].body == SMALL
    assert met.proposals[-1].fate is Fate.ACCEPTED
    reasons = [row.reason for row in met.proposals[:-1]]
    assert sorted(reasons)[1:] == ["another was better", "another was better", 'invariant "no h" broke']
    assert (met.usage.attempts, met.usage.tokens) == (1, 50)
    assert met.trials == ()


def test_in_review_the_operator_picks(wanting: Path, open_session: Open) -> None:
    model = Answering(evaluate(LARGE), evaluate(SMALL), proposals=2)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    asks = operator.wait_for(Phase.ASKS)
    assert asks.suggestion is not None
    assert asks.suggestion.body == SMALL
    assert [row.goals for row in asks.trials] == [(2, 2), (2, 2)]
    other = next(row for row in asks.trials if row.forms == LARGE)
    operator.send(commands.TakeTrial(asks.painted, other.number))
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.Accept(ready.painted))
    assert operator.wait(lambda s: s.revision == 1).proposals[-1].body == LARGE


def test_the_one_that_is_taken_is_still_the_models(wanting: Path, open_session: Open) -> None:
    model = Answering(evaluate(LARGE), evaluate(SMALL), proposals=2)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    asks = operator.wait_for(Phase.ASKS)
    other = next(row for row in asks.trials if row.forms == LARGE)
    operator.send(commands.TakeTrial(asks.painted, other.number))
    ready = operator.wait_for(Phase.READY)
    assert ready.outcome.rationale == LARGE
    assert ready.proposals[-1].origin == asks.suggestion.origin


def test_all_can_be_rejected_with_a_reason(wanting: Path, open_session: Open) -> None:
    model = Answering(evaluate(LARGE), evaluate(SMALL), evaluate("(defun f () 1)"), evaluate(SMALL), proposals=2)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    asks = operator.wait_for(Phase.ASKS)
    operator.send(commands.Hold())
    operator.send(commands.Reject(asks.painted, "too clever"))
    held = operator.wait_for(Phase.HELD)
    assert (held.trials, held.suggestion) == ((), None)
    assert any(row.reason == "too clever" for row in held.proposals)


def test_the_best_is_taken_as_it_was_tried(wanting: Path, open_session: Open) -> None:
    model = Answering(evaluate(LARGE), evaluate(SMALL), proposals=2)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    operator.send(commands.TakeSuggestion(operator.wait_for(Phase.ASKS).painted))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    assert operator.wait(lambda s: s.revision == 1).proposals[-1].body == SMALL


async def test_a_call_that_fails_beside_others_is_told() -> None:
    pictures: list[Snapshot] = []
    board = Board(Snapshot("plain", "Plain"), pictures.append)
    desk = Desk(board)
    asker = Asker(board, desk, Spending(board, Budgets()), repr)
    asker.proposer = Answering(ProposerError("Gone.", family="failed"), evaluate(SMALL), proposals=2)
    asker.ask(View("Plain", ("PLAIN",), generation=0, revision=0, request="f"))
    answered = await desk.take()
    assert isinstance(answered, Answered)
    assert answered.answer is not None
    assert answered.others == ()
    assert [s.notice.text for s in pictures if s.notice][-1] == "One of 2 answers is missing: Gone."


def test_calls_that_fail_leave_the_others(wanting: Path, open_session: Open) -> None:
    model = Answering(ProposerError("Gone.", family="failed"), "no action", evaluate(SMALL), proposals=3)
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET)
    model = Answering(*[ProposerError("Gone.", family="failed")] * 2, proposals=2)
    (wanting / "goals.lisp").write_text('(goal "f" (= (f) 2))\n')
    operator.quit()
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    assert operator.wait_for(Phase.BLOCKED).reason == "Gone."
