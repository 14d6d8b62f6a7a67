"""Going back: the world of an earlier revision as the next one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase

Open = Callable[..., Any]

DOUBLE = "(defun double (x) (* 2 x))"


def test_going_back_brings_the_request_of_that_revision_back(sales_tax: Path, open_session: Open) -> None:
    """Revision 1 lacks the parameter that the invariants of requests 2 and 3 need: it comes back under request 1."""
    operator = open_session(sales_tax, mode=Mode.AUTO)
    operator.send(commands.Go())
    done = operator.wait(lambda s: s.revision == 3 and s.phase is Phase.MET)
    operator.send(commands.GoBack(done.painted, 1))
    back = operator.wait(lambda s: s.revision == 4 and s.phase is Phase.MET)
    assert (back.generation, back.request.number, back.held) == (10, 1, True)
    assert [row.name for row in back.checks if row.kind == "invariant" and row.decides] == [
        "tax and total come together"
    ]
    operator.send(commands.Look("(total-price 100.0)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "105.0"


def test_going_back_that_is_rejected_leaves_the_request(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax, mode=Mode.AUTO)
    operator.send(commands.Go())
    operator.wait(lambda s: s.revision == 3 and s.phase is Phase.MET)
    operator.send(commands.SetMode(Mode.REVIEW))
    done = operator.wait(lambda s: s.mode is Mode.REVIEW)
    operator.send(commands.GoBack(done.painted, 2))
    ready = operator.wait_for(Phase.READY)
    assert ready.request.number == 2
    operator.send(commands.Reject(ready.painted))
    after = operator.wait_for(Phase.MET)
    assert (after.revision, after.generation, after.request.number) == (3, 8, 3)


def test_going_back_keeps_the_content_of_the_earlier_revision(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    for number, forms in enumerate((DOUBLE, "(defun double (x) (+ x x))"), 1):
        operator.send(commands.Evaluate(operator.snapshot.painted, forms))
        operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
        idle = operator.wait(lambda s, number=number: s.revision == number and s.phase is not Phase.PUBLISHING)
    idle = operator.wait(lambda s: s.phase in (Phase.MET, Phase.NEW, Phase.HELD))
    operator.send(commands.GoBack(idle.painted, 1))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 3)
    store = plain_world / "store"
    assert (store / "revision-3/world.lisp").read_bytes() == (store / "revision-1/world.lisp").read_bytes()
