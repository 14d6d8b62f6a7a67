"""Dropping a repair: the session is back at the pause before it, one generation on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate

Open = Callable[..., Any]
Record = Callable[..., None]

FORMS = "(defun total (x) (list (helper x))) (restart-case (total 1) (give (x) x))"


def test_operator_drops_a_repair_that_returned(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, FORMS))
    before = operator.wait_for(Phase.PAUSED)
    operator.send(commands.Repair(before.painted, '(warn "wrong") (print 1) (defun helper (x) (list x x))'))
    repaired = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 2)
    assert [row.name for row in repaired.pause.restarts[-2:]] == ["drop-repair", "abandon"]
    assert repaired.pause.restarts[:-2] == before.pause.restarts[:-1]
    operator.send(commands.Resume(repaired.painted, repaired.pause.restarts[-2].id))
    dropped = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 3)
    assert dropped.pause == before.pause
    operator.send(commands.Repair(dropped.painted, "(defun helper (x) x)"))
    again = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 4)
    operator.send(commands.Resume(again.painted, "0/0"))
    ready = operator.wait_for(Phase.READY)
    assert (ready.outcome.value, ready.outcome.output, ready.outcome.warnings) == ("(1)", "", ())
    assert ready.outcome.steps == (
        *("evaluate", "UNDEFINED-FUNCTION", "repair", "drop-repair", "repair", "0/0 continue", "value"),
    )
    operator.send(commands.Accept(ready.painted))
    accepted = operator.wait(lambda s: s.revision == 1)
    assert accepted.generation == 6
    resumed = [event.fields for event in operator.events if event.name == "resumed"]
    assert [fields["name"] for fields in resumed] == ["drop-repair", "continue"]


def test_operator_drops_a_repair_that_failed(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, FORMS))
    before = operator.wait_for(Phase.PAUSED)
    operator.send(commands.Repair(before.painted, '(error "in the repair")'))
    deeper = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 2)
    assert [level.level for level in deeper.pause.levels] == [0, 1]
    operator.send(commands.Resume(deeper.painted, deeper.pause.restarts[-2].id))
    dropped = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 3)
    assert dropped.pause == before.pause
    operator.send(commands.Abandon(dropped.painted))
    after = operator.wait(lambda s: s.phase is not Phase.PAUSED)
    assert after.proposals[0].fate is Fate.ABANDONED


def test_transcript_drops_a_repair_by_name(plain_world: Path, open_session: Open, record: Record) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "t"\ngoals = []\n')
    record(
        plain_world,
        {"kind": "evaluate", "forms": FORMS},
        {"kind": "repair", "forms": "(defun helper (x) (car x))"},
        {"kind": "resume", "restart": "drop-repair", "arguments": []},
        {"kind": "repair", "forms": "(defun helper (x) x)"},
        {"kind": "resume", "restart": "continue", "arguments": []},
        {"kind": "finish"},
    )
    operator = open_session(plain_world, mode=Mode.AUTO, headless=True)
    operator.send(commands.Go())
    operator.wait(lambda s: s.phase is Phase.CLOSED)
    assert operator.snapshot.revision == 1
    assert "(defun helper (x) x)" in (plain_world / "store" / "revision-1" / "world.lisp").read_text()
