"""Several proposals that answer one view, each in a candidate of its own; one of them is accepted, or none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.engine.troubles import restore_world
from jiti_tui.engine.what_if import trials

Open = Callable[..., Any]

PROPOSALS = (
    "(defun f (x) (+ x 1))",
    "(defun f (x) (- x 1))",
    "(defun f (x) (helper x)) (f 1)",
    "(defun f (x)",
    "(defun f (x) x) (setf (jiti:value :a) 1)",
)


def tried(plain_world: Path, open_session: Open) -> tuple[Any, Snapshot]:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "t"\n')
    (plain_world / "goals.lisp").write_text('(goal "f adds" (= (f 1) 2))')
    (plain_world / "invariants.lisp").write_text(
        '(invariant "f of 1 is not 0" (or (not (fboundp (quote f))) (/= 0 (f 1))))'
    )
    operator = open_session(plain_world)
    new = operator.wait_for(Phase.NEW)
    operator.send(commands.TryProposals(new.painted, PROPOSALS))
    return operator, operator.wait(lambda s: len(s.trials) == 5 and all(row.ended for row in s.trials))


def candidates(operator: Any) -> int:
    registry = operator.engine._session.workers.keeper._registry
    return len([worker for worker in registry.workers if worker.role == "candidate" and worker.alive])


def test_each_tells_its_consequences(plain_world: Path, open_session: Open) -> None:
    operator, after = tried(plain_world, open_session)
    good, broken, pausing, unreadable, other = after.trials
    assert (good.state, good.text, good.goals, good.broken) == (TrialState.VALUE, "F", (1, 1), ())
    assert [change.name for change in good.definitions] == ["f"]
    assert (broken.state, broken.broken) == (TrialState.VALUE, ("f of 1 is not 0",))
    assert (pausing.state, pausing.type) == (TrialState.PAUSED, "UNDEFINED-FUNCTION")
    assert (unreadable.state, "ends inside" in unreadable.text) == (TrialState.FAILED, True)
    assert (other.goals, [change.name for change in other.data]) == ((0, 1), ["(value :a)"])
    assert all(row.own for row in after.trials)
    assert (after.generation, after.revision, after.phase) == (0, 0, Phase.NEW)
    assert [event.name for event in operator.events] == ["session", "request"]


def test_who_asks_in_the_engine_can_wait_for_all(plain_world: Path, open_session: Open) -> None:
    operator, _ = tried(plain_world, open_session)
    engine = operator.engine

    async def compare() -> tuple[TrialRow, ...]:
        trials = engine._session.trials
        await trials.drop()
        trials.try_proposals(PROPOSALS)
        return await trials.ended()

    rows = asyncio.run_coroutine_threadsafe(compare(), engine._loop).result(30)
    assert [row.forms for row in rows if row.acceptable] == [PROPOSALS[0], PROPOSALS[4]]
    assert operator.snapshot.trials == rows


def test_one_is_accepted_and_the_others_are_gone(plain_world: Path, open_session: Open) -> None:
    operator, after = tried(plain_world, open_session)
    operator.send(commands.TakeTrial(after.painted, after.trials[0].number))
    ready = operator.wait_for(Phase.READY)
    assert (ready.outcome.steps, ready.trials, ready.proposals[-1].body) == (("evaluate", "value"), (), PROPOSALS[0])
    operator.send(commands.Accept(ready.painted))
    accepted = operator.wait(lambda s: s.proposals[-1].fate is Fate.ACCEPTED)
    assert (accepted.generation, accepted.revision) == (1, 1)
    operator.wait_until(lambda: candidates(operator) == 0)
    operator.send(commands.Look("(list (f 1) (jiti:value :a))"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "(2 NIL)"


def test_own_forms_are_taken_rather_than_the_proposal_that_waits(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax, mode=Mode.ASK)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    asks = operator.wait_for(Phase.ASKS)
    operator.send(commands.TryProposals(asks.painted, (asks.suggestion.body, "(defun own () 1)")))
    tried = operator.wait(lambda s: len(s.trials) == 2 and all(row.ended for row in s.trials))
    assert (tried.phase, [row.own for row in tried.trials]) == (Phase.ASKS, [True, True])
    operator.send(commands.TakeTrial(tried.painted, tried.trials[1].number))
    ready = operator.wait_for(Phase.READY)
    assert [change.name for change in ready.outcome.definitions] == ["own"]
    operator.wait(lambda s: [row.fate for row in s.proposals] == [Fate.REJECTED, Fate.READY])


def test_one_that_paused_goes_on_from_its_pause(plain_world: Path, open_session: Open) -> None:
    operator, after = tried(plain_world, open_session)
    operator.send(commands.TakeTrial(after.painted, after.trials[2].number))
    pause = operator.wait_for(Phase.PAUSED)
    assert (pause.generation, pause.pause.levels[0].type) == (1, "UNDEFINED-FUNCTION")
    operator.send(commands.Repair(pause.painted, "(defun helper (x) (+ x 1))"))
    again = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 2)
    operator.send(commands.Resume(again.painted, "0/0"))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    assert operator.wait(lambda s: s.revision == 1).generation == 4


def test_none_is_taken(plain_world: Path, open_session: Open) -> None:
    operator, after = tried(plain_world, open_session)
    operator.send(commands.TakeTrial(after.painted, after.trials[3].number))
    operator.wait(lambda s: s.notice is not None and "nothing that could be taken" in s.notice.text)
    assert (operator.snapshot.trials, operator.snapshot.revision) == ((), 0)
    operator.send(commands.TryProposals(operator.snapshot.painted, PROPOSALS[:2]))
    operator.wait(lambda s: len(s.trials) == 2)
    operator.send(commands.Evaluate(operator.snapshot.painted, "(defun g () 1)"))
    ready = operator.wait_for(Phase.READY)
    assert (ready.trials, [change.name for change in ready.outcome.definitions]) == ((), ["g"])


def test_a_second_drop_waits_until_the_first_has_let_the_world_go_on(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator, _ = tried(plain_world, open_session)
    told: list[str] = []

    async def restore(session: Any) -> None:
        told.append("begins")
        await asyncio.sleep(0)
        await restore_world(session)
        told.append("ends")

    monkeypatch.setattr(trials, "restore_world", restore)

    async def drop_twice() -> None:
        held = operator.engine._session.trials
        await asyncio.gather(held.drop(), held.drop())

    asyncio.run_coroutine_threadsafe(drop_twice(), operator.engine._loop).result(20)
    assert told == ["begins", "ends"] * 2
    assert not operator.engine._session.workers.world.frozen
