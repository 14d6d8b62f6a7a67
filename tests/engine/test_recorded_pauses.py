"""A recording is asked about what it was recorded for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]


def test_a_pause_of_the_operators_own_uses_up_no_recorded_answer(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    met = operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET)
    operator.send(commands.Evaluate(met.painted, '(error "of my own")'))
    paused = operator.wait_for(Phase.PAUSED)
    operator.send(commands.Look("(+ 1 1)"))
    operator.wait(lambda s: s.looked is not None)
    operator.send(commands.Abandon(paused.painted))
    operator.send(commands.NextRequest(operator.wait_for(Phase.MET).painted))
    assert operator.wait_for(Phase.READY).request.number == 2
    assert not [event for event in operator.events if event.name == "invalid"]
