"""Calls that end without an answer: what they cost counts like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.budget import Budgets, BudgetSettings
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View

Open = Callable[..., Any]

WANTED = 'packages = ["PLAIN"]\n[[requests]]\ntext = "Wait."\ngoals = ["never"]\n'


class Thinking:
    """A proposer that never answers, and tells what each call has cost when that is cancelled."""

    name = "thinking"
    recorded = False
    costs_money = True
    proposals = 1

    def __init__(self) -> None:
        self.calls = 0

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        self.calls += 1
        listener.rationale(f"call {self.calls}")
        try:
            await asyncio.Event().wait()
        finally:
            listener.spent(Tokens(30, 0, 5, estimated=35), 0.5)
        raise AssertionError

    async def close(self) -> None:
        pass


def wanting(folder: Path) -> Path:
    (folder / "world.toml").write_text(WANTED)
    (folder / "goals.lisp").write_text('(goal "never" nil)\n')
    return folder


def test_a_loop_that_is_cancelled_again_and_again_meets_its_budget(plain_world: Path, open_session: Open) -> None:
    model = Thinking()
    budgets = Budgets(session=BudgetSettings(tokens=100))
    operator = open_session(wanting(plain_world), mode=Mode.AUTO, proposer=model, budgets=budgets)
    operator.send(commands.Go())
    for call in (1, 2, 3):
        operator.wait(lambda s, call=call: s.rationale == f"call {call}")
        (plain_world / "goals.lisp").write_text(f'(goal "never" (= {call} 0))\n')
    blocked = operator.wait_for(Phase.BLOCKED)
    assert "the session's budget of 100 tokens is used up" in blocked.reason
    assert (model.calls, blocked.usage.tokens, blocked.usage.estimated, blocked.usage.money) == (3, 105, 105, 1.5)


def test_what_is_stopped_by_hand_is_paid_for(plain_world: Path, open_session: Open) -> None:
    operator = open_session(wanting(plain_world), proposer=Thinking())
    operator.send(commands.Go())
    operator.wait(lambda s: s.rationale == "call 1")
    operator.send(commands.Stop())
    held = operator.wait(lambda s: s.phase is Phase.HELD and s.usage.tokens > 0)
    assert (held.usage.tokens, held.request_usage.tokens) == (35, 35)


def test_the_request_that_was_asked_about_pays(plain_world: Path, open_session: Open) -> None:
    operator = open_session(wanting(plain_world), proposer=Thinking())
    operator.send(commands.Go())
    operator.wait(lambda s: s.rationale == "call 1")
    operator.send(commands.AddRequest("Something else."))
    asked = operator.wait(lambda s: s.rationale == "call 2")
    assert (asked.usage.tokens, asked.request_usage.tokens) == (35, 0)
