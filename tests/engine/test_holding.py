"""An operator who touches a pause keeps it, also where everything else passes by itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fakes.answering import Answering

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.view import View

Open = Callable[..., Any]


class Deliberate(Answering):
    """Answers at once, but to a pause only when it is let."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        super().__init__(*answers)
        self.go_on = threading.Event()

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        if view.paused is not None:
            await asyncio.to_thread(self.go_on.wait, 20)
        return await super().propose(view, listener, variant)


def test_an_answer_to_a_held_pause_waits_for_the_operator(plain_world: Path, open_session: Open) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "t"\n')
    (plain_world / "goals.lisp").write_text('(goal "f" (= (f) 1))')
    model = Deliberate(
        {"kind": "evaluate", "forms": '(defun f () 1) (break "here")', "rationale": ""},
        {"kind": "resume", "restart": "0/0", "arguments": [], "rationale": ""},
    )
    operator = open_session(plain_world, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    operator.wait(lambda s: s.phase is Phase.PAUSED and s.proposer_busy)
    operator.send(commands.Hold())
    operator.wait(lambda s: s.held)
    model.go_on.set()
    waits = operator.wait(lambda s: s.suggestion is not None)
    assert (waits.phase, waits.suggested_restart) == (Phase.PAUSED, "0/0")
    operator.send(commands.Go())
    operator.wait(lambda s: s.revision == 1)
