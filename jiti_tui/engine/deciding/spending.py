"""What the session and the current request have spent, against what they may."""

from __future__ import annotations

import time
from dataclasses import fields, replace

from jiti_tui.budget import Budgets
from jiti_tui.engine.board import Board
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.usage import Budget, Usage
from jiti_tui.model.tokens import Tokens

_TICK = 1.0
"""Seconds of work are added this seldom: each addition is a picture."""
_WORKING = frozenset({Phase.THINKING, Phase.TRYING, Phase.CHECKING, Phase.PUBLISHING})


class Spending:
    """Counts; the snapshot's `usage` and `request_usage` are kept by it.

    Where a limit was reached and the operator goes on all the same, as much again may be spent.
    """

    def __init__(self, board: Board, budgets: Budgets) -> None:
        self._board = board
        self._granted = {"session": Usage(), "request": Usage()}
        self._worked_since: float | None = None
        board.watchers.append(self._watch)
        board.show(
            session_budget=Budget(**budgets.session.model_dump()), request_budget=Budget(**budgets.request.model_dump())
        )

    def attempt(self) -> None:
        """An attempt was begun, or an answer was none."""
        self._add(Usage(attempts=1))

    def call(self, tokens: Tokens, money: float) -> None:
        """A call was paid for."""
        self._add(Usage(tokens=tokens.total, estimated=tokens.estimated, money=money))

    def begin_request(self) -> None:
        """Another request is the current one."""
        self._granted["request"] = Usage()
        self._board.show(request_usage=Usage())

    def grant(self) -> None:
        """The operator goes on: what has reached its limit may spend as much again."""
        snapshot = self._board.snapshot
        if _reached(snapshot.usage, self._granted["session"], snapshot.session_budget):
            self._granted["session"] = snapshot.usage
        if _reached(snapshot.request_usage, self._granted["request"], snapshot.request_budget):
            self._granted["request"] = snapshot.request_usage

    def exhausted(self, *, under_way: bool) -> str:
        """The limit that is reached, as a sentence; "" when none is. An attempt that is `under_way` may still end."""
        snapshot = self._board.snapshot
        for name, used, budget in (
            ("request", snapshot.request_usage, snapshot.request_budget),
            ("session", snapshot.usage, snapshot.session_budget),
        ):
            reached = _reached(used, self._granted[name], replace(budget, attempts=None) if under_way else budget)
            if reached:
                return f"The goals are not met, and the {name}'s budget of {reached} is used up."
        return ""

    def _add(self, more: Usage) -> None:
        snapshot = self._board.snapshot
        self._board.show(usage=_sum(snapshot.usage, more), request_usage=_sum(snapshot.request_usage, more))

    def _watch(self, snapshot: Snapshot) -> None:
        """Time the phases in which nobody waits for the operator."""
        now, since = time.monotonic(), self._worked_since
        works = snapshot.phase in _WORKING or snapshot.proposer_busy
        if since is None:
            self._worked_since = now if works else None
        elif not works or now - since >= _TICK:
            self._worked_since = now if works else None
            self._add(Usage(seconds=now - since))


def _sum(one: Usage, other: Usage) -> Usage:
    names = [field.name for field in fields(Usage)]
    return replace(one, **{name: getattr(one, name) + getattr(other, name) for name in names})


def _reached(used: Usage, granted: Usage, budget: Budget) -> str:
    """The limit of `budget` that `used` has reached since `granted`, in words; "" when none is."""
    for field in fields(Budget):
        limit = getattr(budget, field.name)
        if limit is not None and getattr(used, field.name) - getattr(granted, field.name) >= limit:
            return f"{limit:,g} in money" if field.name == "money" else f"{limit:,} {field.name}"
    return ""
