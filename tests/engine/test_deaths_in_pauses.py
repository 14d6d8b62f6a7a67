"""Processes that are killed around a pause: savepoints, trials, the candidate, its world, the keeper."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate, Snapshot

Open = Callable[..., Any]

FORMS = '(defvar *seen* (list 0)) (restart-case (list (error "e")) (wait () (loop)) (give (x) x))'


@pytest.fixture
def repaired(plain_world: Path, open_session: Open) -> tuple[Any, Snapshot]:
    """A session at a pause with two repairs."""
    (plain_world / "goals.lisp").write_text('(goal "seen" (equal *seen* (list 1 0)))')
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, FORMS))
    pause = operator.wait_for(Phase.PAUSED)
    for number in (1, 2):
        operator.send(commands.Repair(pause.painted, f"(push {number} *seen*)"))
        pause = operator.wait(lambda s, count=number: s.phase is Phase.PAUSED and s.generation == 1 + count)
    return operator, pause


def kill(worker: Any) -> None:
    os.kill(worker.pid, signal.SIGKILL)


def processes(operator: Any) -> list[str]:
    return sorted(w.role for w in operator.engine._session.workers.keeper._registry.workers if w.alive)


def works(operator: Any) -> None:
    """No process of the attempt is left, and the world takes the next one."""
    operator.wait_until(lambda: processes(operator) == ["keeper", "world"])
    operator.send(commands.Evaluate(operator.snapshot.painted, "(defun f () 42) (list (f) (boundp '*seen*))"))
    assert operator.wait_for(Phase.READY).outcome.value == "(42 NIL)"


def drop(operator: Any, pause: Snapshot) -> None:
    assert pause.pause is not None
    operator.send(commands.Resume(pause.painted, pause.pause.restarts[-2].id))


def test_a_killed_savepoint_is_missed_when_its_repair_is_dropped(repaired: tuple[Any, Snapshot]) -> None:
    operator, pause = repaired
    kill(operator.engine._session.attempt.process._savepoints[-1])
    drop(operator, pause)
    after = operator.wait(lambda s: s.phase is not Phase.PAUSED and s.proposals[-1].fate is Fate.RESTORED)
    assert after.revision == 0
    works(operator)


def test_savepoints_that_are_killed_and_not_needed_are_not_missed(repaired: tuple[Any, Snapshot]) -> None:
    operator, pause = repaired
    for savepoint in operator.engine._session.attempt.process._savepoints:
        kill(savepoint)
    assert pause.pause is not None
    operator.send(commands.Resume(pause.painted, pause.pause.restarts[1].id, ("7",)))
    ready = operator.wait_for(Phase.READY)
    assert ready.outcome.value == "7"
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)
    operator.send(commands.Look("*seen*"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "(2 1 0)"


def test_a_candidate_that_is_killed_amid_trials_takes_them_along(repaired: tuple[Any, Snapshot]) -> None:
    operator, pause = repaired
    operator.send(commands.WhatIf(pause.painted, "0/0"))
    operator.wait(lambda s: len(s.trials) == 1)
    operator.wait_until(lambda: processes(operator).count("candidate") == 4)
    kill(operator.engine._session.attempt.process.worker)
    after = operator.wait(lambda s: s.phase is not Phase.PAUSED and s.proposals[-1].fate is Fate.RESTORED)
    assert after.trials == ()
    works(operator)


def test_a_resume_while_trials_run_ends_them(repaired: tuple[Any, Snapshot]) -> None:
    operator, pause = repaired
    operator.send(commands.WhatIf(pause.painted, "0/0"))
    operator.wait_until(lambda: processes(operator).count("candidate") == 4)
    drop(operator, pause)
    dropped = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 4)
    assert dropped.trials == ()
    operator.send(commands.Resume(dropped.painted, "0/1", ("7",)))
    ready = operator.wait_for(Phase.READY)
    assert [verdict.candidate_ok for verdict in ready.checks] == [True]
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)
    operator.wait_until(lambda: processes(operator) == ["keeper", "world"])


def test_the_attempt_of_a_killed_world_goes_on(repaired: tuple[Any, Snapshot]) -> None:
    operator, pause = repaired
    kill(operator.engine._session.workers.world.worker)
    operator.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    drop(operator, pause)
    dropped = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 4)
    operator.send(commands.Resume(dropped.painted, dropped.pause.restarts[1].id, ("7",)))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 1)
    operator.wait_until(lambda: processes(operator) == ["keeper", "world"])
    operator.send(commands.Look("*seen*"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "(1 0)"


def test_a_killed_keeper_takes_the_attempt_along(repaired: tuple[Any, Snapshot]) -> None:
    operator, _ = repaired
    kill(operator.engine._session.workers.keeper.worker)
    after = operator.wait(lambda s: s.phase is not Phase.PAUSED and s.proposals[-1].fate is Fate.RESTORED)
    assert after.revision == 0
    works(operator)
