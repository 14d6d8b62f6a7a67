"""A verifier that is killed: its verdict is given by another one, or the outcome is not accepted."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]

SLOW = "(let () (sleep 0.5) (defun f () 1))"
"""A verifier that imports this can be found at work."""


def propose(operator: Any, forms: str) -> None:
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, forms))
    operator.wait_for(Phase.READY)


def kill_at_work(operator: Any, before: Any = None) -> Any:
    """Kill the verifier that is at work, once that is another one than `before`; returns it."""
    verification = operator.engine._session.verification
    operator.wait_until(lambda: verification._next is not None and verification._next is not before)
    held = verification._next
    os.kill(held.process.worker.pid, signal.SIGKILL)
    return held


def test_another_one_takes_the_place_of_a_killed_verifier(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    propose(operator, SLOW)
    kill_at_work(operator)
    ready = operator.wait(lambda s: s.phase is not Phase.READY or (s.outcome is not None and s.outcome.verified))
    assert ready.phase is Phase.READY
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)


def test_a_verifier_that_is_killed_again_is_no_consent(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    propose(operator, SLOW)
    kill_at_work(operator, kill_at_work(operator))
    after = operator.wait(lambda s: s.phase is not Phase.READY or (s.outcome is not None and s.outcome.verified))
    assert (after.phase, after.revision) != (Phase.READY, 1)
    assert "no fresh process can be asked: The verifier process" in after.proposals[-1].reason


def test_a_killed_keeper_of_verifiers_is_no_consent(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    propose(operator, SLOW)
    operator.wait_until(lambda: operator.engine._session.verification._next is not None)
    for worker in list(operator.engine._session.workers._verifier_keeper._registry.workers):
        os.kill(worker.pid, signal.SIGKILL)
    operator.wait(lambda s: s.phase is not Phase.READY or (s.outcome is not None and s.outcome.verified))
    assert operator.snapshot.revision == 0
