"""What the operator has asked can be stopped; nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]


def test_an_evaluation_that_only_looks_is_stopped(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.StopLooking())
    operator.send(commands.Look("(loop)"))
    operator.send(commands.StopLooking())
    stopped = operator.wait(lambda s: s.looked is not None)
    assert (stopped.looked.ok, stopped.looked.text) == (False, "nothing: stopped after 0 s.")
    assert (stopped.phase, stopped.held) == (idle.phase, idle.held)
    operator.send(commands.Look("(+ 1 2)"))
    assert operator.wait(lambda s: s.looked.number == 2).looked.text == "3"
    operator.wait_until(lambda: runners(operator) == 0)


def runners(operator: Any) -> int:
    """How many throwaway processes are alive."""
    workers = operator.engine._session.workers.keeper._registry.workers
    return sum(worker.role == "runner" for worker in workers)
