"""Answers of the proposer that come at odd moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine import opening, session
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.model.action import parse_action
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View

Open = Callable[..., Any]

WANTED = 'packages = ["PLAIN"]\n[[requests]]\ntext = "Keep it."\ngoals = []\n'


class Told:
    """A proposer that answers when the test says so."""

    name = "told"
    recorded = False
    costs_money = False
    proposals = 1

    def __init__(self) -> None:
        self.views: list[View] = []
        self._answer: asyncio.Future[Answer] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        self._loop = asyncio.get_running_loop()
        self._answer = self._loop.create_future()
        self.views.append(view)
        listener.rationale(f"view {len(self.views)}")
        return await self._answer

    async def close(self) -> None:
        pass

    def answer(self, **action: Any) -> None:
        """Answer the call under way."""
        raw = {"action": {"generation": self.views[-1].generation, **action}}
        answer = Answer(raw, parse_action(raw, self.views[-1].legal), tokens=Tokens(5, 0, 2))
        assert self._loop is not None
        assert self._answer is not None
        self._loop.call_soon_threadsafe(self._answer.set_result, answer)


@pytest.fixture
def told(plain_world: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """The proposer of every session on `plain_world`, whose one request has no goals."""
    (plain_world / "world.toml").write_text(WANTED)
    proposer = Told()
    monkeypatch.setattr(opening, "choose_proposer", lambda *_: proposer)
    return proposer


def asked(operator: Any, times: int) -> None:
    operator.wait(lambda s: s.rationale == f"view {times}")


def test_answer_while_an_outcome_waits_is_heard_after_it(plain_world: Path, open_session: Open, told: Told) -> None:
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asked(operator, 1)
    operator.send(commands.Evaluate(operator.wait_for(Phase.THINKING).painted, "(defun mine () 1)"))
    ready = operator.wait_for(Phase.READY)
    told.answer(kind="evaluate", forms="(defun theirs () 2)")
    operator.wait(lambda s: not s.proposer_busy)
    operator.send(commands.Reject(ready.painted))
    again = operator.wait(lambda s: s.phase is Phase.READY and s.attempt == 2)
    assert [(row.origin, row.fate) for row in again.proposals] == [("operator", Fate.REJECTED), ("told", Fate.READY)]
    assert again.usage.tokens == 7
    assert len(told.views) == 1


def test_nothing_is_asked_before_the_last_answer_is_heard(
    plain_world: Path, open_session: Open, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    reload = session.Session.reload_checks

    async def slow(self: Any, *, first: bool = False) -> bool:
        if not first:
            told.answer(kind="inspect", expression="(+ 1 1)")
            await asyncio.wait([self.asker._call])
        return await reload(self, first=first)

    monkeypatch.setattr(session.Session, "reload_checks", slow)
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asked(operator, 1)
    (plain_world / "goals.lisp").write_text("; nothing yet\n")
    asked(operator, 2)
    assert [row.kind for row in operator.snapshot.proposals] == ["inspect"]
    assert told.views[1].outcomes == ("(+ 1 1) => 2",)


def test_a_finish_ends_no_other_request(plain_world: Path, open_session: Open, told: Told) -> None:
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asked(operator, 1)
    told.answer(kind="finish")
    operator.wait_for(Phase.ASKS)
    operator.send(commands.AddRequest("Something else."))
    asked(operator, 2)
    assert operator.snapshot.proposals[-1].fate is Fate.REJECTED
    assert "goals-met" not in operator.names()


def test_a_call_whose_view_is_no_longer_true_is_dropped(plain_world: Path, open_session: Open, told: Told) -> None:
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asked(operator, 1)
    operator.send(commands.AddRequest("Something else."))
    asked(operator, 2)
    assert [view.request for view in told.views] == ["Keep it.", "Something else."]
    assert operator.snapshot.proposals == ()


def test_a_suggested_finish_is_stale_after_a_reload(plain_world: Path, open_session: Open, told: Told) -> None:
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asked(operator, 1)
    told.answer(kind="finish")
    operator.wait_for(Phase.ASKS)
    (plain_world / "invariants.lisp").write_text('(invariant "holds" t)\n')
    asked(operator, 2)
    assert operator.snapshot.proposals[-1].fate is Fate.STALE
    assert "goals-met" not in operator.names()


def test_goals_met_is_told_before_the_request_that_was_written_meanwhile(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.send(commands.Go())
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.AddRequest("Round the totals."))
    operator.wait(lambda s: s.notice is not None and "comes next" in s.notice.text)
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.request is not None and s.request.text == "Round the totals." and s.generation == 2)
    names = operator.names()
    assert names[names.index("accepted") :][:3] == ["accepted", "goals-met", "request"]
