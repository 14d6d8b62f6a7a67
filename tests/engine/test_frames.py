"""The operator looks at a frame of a pause, and into it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import LocalRow
from jiti_tui.engine.interface.snapshot import FrameRow

Open = Callable[..., Any]

FORMS = """(defun inner (x)
  (break "here")
  (list x))
(defun outer (y)
  (list (inner (* y 2))))
(list (outer 4))"""


def test_a_frame_is_shown_until_the_pause_is_left(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.ShowFrame(idle.painted, 0))
    operator.wait(lambda s: s.notice is not None and "Nothing is paused" in s.notice.text)
    operator.send(commands.Evaluate(idle.painted, FORMS))
    pause = operator.wait_for(Phase.PAUSED)
    assert pause.pause.frames == (FrameRow("(INNER 8)", "proposal", 2), FrameRow("(OUTER 4)", "proposal", 5))
    operator.send(commands.ShowFrame(pause.painted, 1))
    shown = operator.wait(lambda s: s.shown_frame is not None).shown_frame
    assert (shown.generation, shown.index, shown.call, shown.line, shown.first) == (1, 1, "(OUTER 4)", 5, 4)
    assert (shown.text, shown.locals) == ("(defun outer (y)\n  (list (inner (* y 2))))", (LocalRow("y", "4"),))
    operator.send(commands.ShowFrame(pause.painted, 7))
    operator.wait(lambda s: s.notice is not None and "There is no frame 7; the pause shows 2." in s.notice.text)
    operator.send(commands.Look("(list x (setf x 1))", frame=0))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "(8 1)"
    operator.send(commands.Look("y", frame=1))
    assert operator.wait(lambda s: s.looked.number == 2).looked.text == "4"
    operator.send(commands.Resume(pause.painted, "0/0"))
    ready = operator.wait_for(Phase.READY)
    assert (ready.outcome.value, ready.shown_frame) == ("(((8)))", None)
