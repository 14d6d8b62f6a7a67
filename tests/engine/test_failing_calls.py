"""Calls that fail for good: the session stops and asks, an attempt stays, and the operator goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.answering import Answering

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.errors import ProposerError
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.view import View

Open = Callable[..., Any]

WANTED = 'packages = ["PLAIN"]\n[[requests]]\ntext = "Let there be a total."\n'
PAUSES = {"kind": "evaluate", "forms": '(defvar *total* 0) (setf *total* (restart-case (error "none") (give (x) x)))'}
GIVES = {"kind": "resume", "restart": "0/0", "arguments": ["3"]}


@pytest.fixture
def wanting(plain_world: Path) -> Path:
    (plain_world / "world.toml").write_text(WANTED)
    (plain_world / "goals.lisp").write_text('(goal "total" (= *total* 3))\n')
    return plain_world


@pytest.mark.parametrize("family", ["transient", "protocol", "failed", "deadline", "configuration", "quota"])
def test_a_failure_leaves_the_session_and_its_pause(family: str, wanting: Path, open_session: Open) -> None:
    model = Answering(ProposerError("Not now.", family=family), PAUSES, ProposerError("Nor now.", family=family), GIVES)
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    assert operator.wait_for(Phase.BLOCKED).reason == "Not now."
    operator.send(commands.Go())
    pause = operator.wait(lambda s: s.phase is Phase.PAUSED and s.held)
    assert (pause.reason, pause.attempt) == ("Nor now.", 1)
    operator.send(commands.Go())
    assert operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET).attempt == 1
    errors = [event.fields for event in operator.events if event.name == "error"]
    assert errors == [{"family": family, "reason": "Not now."}, {"family": family, "reason": "Nor now."}]


def test_the_reason_of_a_rejection_is_told_back(wanting: Path, open_session: Open) -> None:
    model = Answering({"kind": "evaluate", "forms": "(defvar *total* 1)"}, PAUSES, GIVES)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    operator.send(commands.Reject(operator.wait_for(Phase.READY).painted, "three, not one"))
    pause = operator.wait(lambda s: s.phase is Phase.PAUSED and s.suggestion is not None)
    assert "Restored by the operator to revision 0: rejected: three, not one" in "\n".join(model.views[1].outcomes)
    operator.send(commands.Abandon(pause.painted, "no errors, please"))
    operator.wait(lambda s: len(model.views) == 4)
    told = "\n".join(model.views[3].outcomes)
    assert "The operator did not take your resume: the operator chose otherwise." in told
    assert "abandoned: no errors, please" in told


class Patient(Answering):
    """Waits for an hour before it answers, unless it is hurried."""

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        await listener.wait(3600, "It is busy.")
        return await super().propose(view, listener, variant)


def test_a_wait_is_shown_and_the_operator_can_skip_it(wanting: Path, open_session: Open) -> None:
    operator = open_session(wanting, mode=Mode.AUTO, proposer=Patient(PAUSES, GIVES))
    operator.send(commands.Go())
    for phase in (Phase.THINKING, Phase.PAUSED):
        waits = operator.wait(lambda s, phase=phase: s.waiting is not None and s.phase is phase)
        assert waits.waiting.reason == "It is busy."
        operator.send(commands.Go())
    assert operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET).waiting is None
