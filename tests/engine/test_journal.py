"""The journal: what of a session reaches the manifest and the store's log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.attempts.trail import Trail
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.workers import Workers
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.runner import Runner
from jiti_tui.model.replay import ReplayProposer
from jiti_tui.store.store import Store

Open = Callable[..., Any]

DOUBLE = "(defun double (x) (* 2 x))"


def test_a_trail_is_bounded_and_counts_what_it_dropped() -> None:
    trail = Trail(most=200)
    for number in range(100):
        trail.add({"event": "value", "value": str(number)})
    first, *kept = trail.records
    assert first == {"event": "dropped", "records": 100 - len(kept)}
    assert kept[-1]["value"] == "99"
    assert 1 < len(kept) < 20
    trail.clear()
    assert trail.records == []


def test_an_abandoned_attempt_is_evidence(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, '(error "stop")'))
    operator.send(commands.Abandon(operator.wait_for(Phase.PAUSED).painted))
    after = operator.wait(lambda s: s.phase is Phase.MET)
    operator.send(commands.Evaluate(after.painted, DOUBLE))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 1)
    manifest = Store.open(plain_world / "store", read_only=True).read(1).manifest
    assert [event["event"] for event in manifest.events] == [
        *("proposal", "attempt", "paused", "proposal", "abandoned", "restored"),
        *("proposal", "attempt", "value", "checked"),
    ]


def test_what_was_under_way_at_the_end_is_told_by_the_next_session_that_opens(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, '(error "stop")'))
    operator.wait_for(Phase.PAUSED)
    operator.quit()

    async def fail(_self: Any) -> None:
        raise WorkerError("No SBCL today.")

    monkeypatch.setattr(Workers, "start", fail)
    refused = open_session(plain_world)
    refused.wait_for(Phase.CLOSED)
    refused.quit()
    monkeypatch.undo()
    again = open_session(plain_world)
    assert again.wait_for(Phase.RECOVERED).reason == "Lost: a proposed evaluate, attempt 1, a pause at level 0."


def test_everything_is_closed_even_where_the_proposer_cannot_be(
    sales_tax: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_self: Any) -> None:
        raise OSError("no")

    monkeypatch.setattr(ReplayProposer, "close", fail)
    operator = open_session(sales_tax)
    operator.wait_for(Phase.NEW)
    operator.quit()
    assert not operator.engine._session.workers.keeper.worker.alive
    assert '"closed"' in (sales_tax / "store/events.sexp").read_text()


def test_checks_are_read_again_when_only_a_worker_failed(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    operator.wait(lambda s: s.phase is not Phase.STARTING)

    async def fail(*_: Any, **__: Any) -> Any:
        raise WorkerError("The runner died.")

    monkeypatch.setattr(Runner, "index_checks", fail)
    goals = plain_world / "goals.lisp"
    goals.write_text('(goal "late" t)')
    operator.wait(lambda s: s.notice is not None and "The runner died" in s.notice.text)
    monkeypatch.undo()
    goals.write_text('(goal "late" t)')
    operator.wait(lambda s: [row.name for row in s.checks] == ["late"])
