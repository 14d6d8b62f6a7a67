"""What was spent, and of what: the limits that stop the session are the operator's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from jiti_tui.engine.interface.snapshot import ProposalRow, Snapshot
from jiti_tui.engine.interface.usage import Budget, Usage
from jiti_tui.tui.text.words import age, tokens

Number = TypeVar("Number", int, float)


def of(used: str, limit: Number | None, write: Callable[[Number], str]) -> str:
    """Return "5.2k of 200k", or what is used alone where nothing limits it."""
    return used if limit is None else f"{used} of {write(limit)}"


def tokens_spent(usage: Usage, budget: Budget) -> str:
    """Return "5.2k of 200k tokens"; "~5.2k" where some of them are estimated."""
    return f"{_about(usage)}{of(tokens(usage.tokens), budget.tokens, tokens)} tokens"


def money_spent(usage: Usage, budget: Budget) -> str:
    """Return "0.04 of 1.00 spent", in the currency of the configured prices; "~0.04" likewise."""
    return f"{_about(usage)}{of(f'{usage.money:.2f}', budget.money, '{:.2f}'.format)} spent"


def tokens_of(row: ProposalRow) -> str:
    """Return "630", what an answer cost; "~630" where no provider has counted; "" where it cost nothing."""
    return f"{'~' if row.estimated else ''}{tokens(row.tokens)}" if row.tokens else ""


def attempts_made(usage: Usage, budget: Budget) -> str:
    """Return "3 of 20 attempts"."""
    attempts = of(str(usage.attempts), budget.attempts, str)
    return f"{attempts} {'attempt' if attempts == '1' else 'attempts'}"


def spent(usage: Usage, budget: Budget) -> str:
    """Return all of it that is not nothing, or that has a limit."""
    parts = [
        attempts_made(usage, budget) if usage.attempts or budget.attempts is not None else "",
        tokens_spent(usage, budget) if usage.tokens or budget.tokens is not None else "",
        money_spent(usage, budget) if usage.money or budget.money is not None else "",
        f"{of(age(usage.seconds), budget.seconds, age)} of work" if budget.seconds is not None else "",
    ]
    return ", ".join(part for part in parts if part)


def limits(budget: Budget) -> str:
    """Return "20 attempts, 200k tokens, 1.00", what may be spent; "" where nothing limits it."""
    parts = [
        f"{budget.attempts} attempts" if budget.attempts is not None else "",
        f"{tokens(budget.tokens)} tokens" if budget.tokens is not None else "",
        f"{budget.money:.2f}" if budget.money is not None else "",
        f"{age(budget.seconds)} of work" if budget.seconds is not None else "",
    ]
    return ", ".join(part for part in parts if part)


def _about(usage: Usage) -> str:
    return "~" if usage.estimated else ""


def shown_spending(snapshot: Snapshot) -> tuple[Usage, Budget]:
    """Return what the status row tells of: the session, or the request where it alone has limits."""
    if snapshot.session_budget == Budget() and snapshot.request_budget != Budget():
        return snapshot.request_usage, snapshot.request_budget
    return snapshot.usage, snapshot.session_budget
