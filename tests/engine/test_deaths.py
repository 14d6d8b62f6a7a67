"""A session whose worker processes die under it: the accepted world comes back, an attempt is restored."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate

Open = Callable[..., Any]
Record = Callable[..., None]


def test_killed_world_comes_back(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.send(commands.Go())
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait_for(Phase.MET)
    workers = operator.engine._session.workers
    os.kill(workers.world.worker.pid, signal.SIGKILL)
    operator.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    operator.send(commands.Look("(total-price 100.0)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "105.0"


def test_killed_keeper_comes_back(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.wait_for(Phase.NEW)
    os.kill(operator.engine._session.workers.keeper.worker.pid, signal.SIGKILL)
    operator.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    operator.send(commands.Look("(+ 1 1)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "2"


def test_killed_candidate_is_restored(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, '(defun gone () 1) (error "stop")'))
    operator.wait_for(Phase.PAUSED)
    os.kill(operator.engine._session.attempt.process.worker.pid, signal.SIGKILL)
    after = operator.wait(lambda s: s.phase is not Phase.PAUSED)
    assert (after.revision, after.proposals[-1].fate) == (0, Fate.RESTORED)
    operator.send(commands.Look("(fboundp 'gone)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "NIL"


def test_suggestion_goes_with_the_killed_candidate(sales_tax: Path, open_session: Open, record: Record) -> None:
    record(
        sales_tax, {"kind": "evaluate", "forms": "(receipt 1)"}, {"kind": "repair", "forms": "(defun receipt (x) x)"}
    )
    operator = open_session(sales_tax)
    operator.send(commands.Go())
    operator.wait(lambda s: s.phase is Phase.PAUSED and s.suggestion is not None)
    operator.send(commands.Hold())
    os.kill(operator.engine._session.attempt.process.worker.pid, signal.SIGKILL)
    after = operator.wait_for(Phase.HELD)
    assert (after.suggestion, after.proposals[-1].fate) == (None, Fate.RESTORED)
