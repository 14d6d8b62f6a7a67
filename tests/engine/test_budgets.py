"""What a session may spend: at a limit it stops and asks, and goes on with as much again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.answering import Answering

from jiti_tui.budget import Budgets, BudgetSettings, read_option
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.model.tokens import Tokens
from jiti_tui.model_settings import Prices

Open = Callable[..., Any]

WANTED = """packages = ["PLAIN"]
[[requests]]
text = "Do what cannot be done."
goals = ["never"]
"""


@pytest.fixture
def hopeless(plain_world: Path) -> Path:
    """A world whose goal never passes."""
    (plain_world / "world.toml").write_text(WANTED)
    (plain_world / "goals.lisp").write_text('(goal "never" nil)\n')
    return plain_world


def defining(number: int) -> dict[str, Any]:
    return {"kind": "evaluate", "forms": f"(defun f{number} () {number})"}


def blocked(operator: Any) -> str:
    reason: str = operator.wait_for(Phase.BLOCKED).reason
    return reason


def test_a_goal_that_never_passes_does_not_spend_for_ever(hopeless: Path, open_session: Open) -> None:
    model = Answering(*map(defining, range(9)))
    budgets = Budgets(request=BudgetSettings(attempts=2))
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model, budgets=budgets)
    operator.send(commands.Go())
    assert blocked(operator) == "The goals are not met, and the request's budget of 2 attempts is used up."
    assert operator.snapshot.usage.attempts == 2
    assert operator.snapshot.request_budget.attempts == 2
    operator.send(commands.Go())
    operator.wait(lambda s: s.usage.attempts == 4 and s.phase is Phase.BLOCKED)
    assert operator.snapshot.revision == 4


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"tokens": 25}, "the session's budget of 25 tokens is used up"),
        ({"money": 0.5}, "the session's budget of 0.5 in money is used up"),
        ({"seconds": 1e-6}, "the session's budget of 1e-06 seconds is used up"),
    ],
)
def test_other_limits(hopeless: Path, open_session: Open, limit: dict[str, Any], reason: str) -> None:
    model = Answering(*map(defining, range(9)), tokens=Tokens(8, 0, 2), money=0.2)
    budgets = Budgets(session=BudgetSettings(**limit))
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model, budgets=budgets)
    operator.send(commands.Go())
    assert reason in blocked(operator)
    usage = operator.snapshot.usage
    assert usage.attempts < 9
    assert usage.tokens == 10 * len(model.views)
    assert usage.money == pytest.approx(0.2 * len(model.views))
    assert usage.seconds > 0


def test_a_limit_of_tokens_stops_in_a_pause_and_keeps_the_attempt(hopeless: Path, open_session: Open) -> None:
    model = Answering({"kind": "evaluate", "forms": '(error "wait")'}, tokens=Tokens(30))
    budgets = Budgets(session=BudgetSettings(tokens=20))
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model, budgets=budgets)
    operator.send(commands.Go())
    snapshot = operator.wait(lambda s: s.phase is Phase.PAUSED and s.held)
    assert "20 tokens" in snapshot.reason
    assert snapshot.pause is not None


def test_invalid_answers_cost_a_try_and_three_in_a_row_stop(hopeless: Path, open_session: Open) -> None:
    model = Answering("what?", {"kind": "repair", "forms": "1"}, {"kind": "evaluate", "forms": "(f"}, defining(1))
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    assert "3 answers in a row that cannot be carried out" in blocked(operator)
    assert operator.snapshot.usage.attempts == 3
    assert [outcome.partition(":")[0] for outcome in model.views[-1].outcomes] == ["Invalid", "Invalid"]


def test_the_same_proposal_is_not_run_twice(hopeless: Path, open_session: Open) -> None:
    (hopeless / "invariants.lisp").write_text('(invariant "no f" (not (fboundp \'f)))\n')
    same = {"kind": "evaluate", "forms": "(defun f () 1)"}
    model = Answering(same, same, same)
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    assert "the same answer 3 times" in blocked(operator)
    assert operator.names().count("attempt") == 1
    assert "given the same evaluate to the same view" in model.views[2].outcomes[-1]


def test_every_outcome_is_told_back(hopeless: Path, open_session: Open) -> None:
    (hopeless / "invariants.lisp").write_text('(invariant "no g" (not (fboundp \'g)))\n')
    model = Answering(
        {"kind": "evaluate", "forms": "(princ (make-string 3000 :initial-element #\\=)) (defun f (unused) 1)"},
        {"kind": "inspect", "expression": '(progn (princ "seen") 2)'},
        {"kind": "evaluate", "forms": "(defun g () 1)"},
        {"kind": "evaluate", "forms": '(sb-ext:run-program "ls" nil)'},
        {"kind": "inspect", "expression": "(+ 1 1)"},
    )
    budgets = Budgets(session=BudgetSettings(attempts=4))
    operator = open_session(hopeless, mode=Mode.AUTO, proposer=model, budgets=budgets)
    operator.send(commands.Go())
    blocked(operator)
    told = "\n".join(model.views[-1].outcomes)
    for part in (
        "Value: F\nIt printed: ===",
        "(2000 characters more, cut)",
        "Warning: ",
        'Goal "never" is not met: It returned NIL',
        "Accepted as revision 1.",
        '(progn (princ "seen") 2) => 2\nIt printed: seen',
        'invariant "no g" broke: (fboundp \'g) => ',
        "SB-EXT:RUN-PROGRAM",
    ):
        assert part in told, told


def test_limits_come_from_the_command_line_before_the_files() -> None:
    given = read_option("session.money=2.50").over(read_option("request.attempts=3"))
    files = Budgets(request=BudgetSettings(attempts=9, seconds=5.0), session=BudgetSettings(money=1.0))
    assert given.over(files) == Budgets(
        request=BudgetSettings(attempts=3, seconds=5.0), session=BudgetSettings(money=2.5)
    )
    for wrong in ("attempts=3", "request.attempts=0", "request.attempts=1.5", "session.money=-1", "request.tokens="):
        with pytest.raises(ValueError, match="is no limit: write one such as"):
            read_option(wrong)


def test_money_is_counted_by_the_kind_of_token() -> None:
    prices = Prices(input=2.0, cached_input=0.5, output=8.0)
    assert Tokens(1_000_000, 400_000, 100_000).cost(prices) == pytest.approx(1.2 + 0.2 + 0.8)
    assert Tokens(1_000_000, 400_000, 0).cost(Prices(input=2.0, output=8.0)) == pytest.approx(2.0)
