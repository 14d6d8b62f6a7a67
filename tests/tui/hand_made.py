"""Shows a hand-made session on a real terminal: `hand_made.py STATE [no-mouse] [breaks] [unreadable]`.

Prints how it ended and what was sent. With `breaks` the answer to a command is a session that cannot be painted, with
`unreadable` what is typed cannot be read.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

from conftest import STATES, RecordingEngine
from textual._parser import ParseError
from textual._xterm_parser import XTermParser

from jiti_tui.engine.interface.commands import Command
from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.defect import told_defect
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.tui.past import Past


class BreakingEngine(RecordingEngine):
    """Answers a command with what no engine may publish."""

    def send(self, command: Command) -> None:
        super().send(command)
        self.publish(replace(self.snapshot, checks=(None,)))  # type: ignore[arg-type]  # a defect on purpose


def refuse(_: XTermParser, typed: str) -> None:
    raise ParseError(typed)


if "unreadable" in sys.argv:
    XTermParser.feed = refuse  # type: ignore[method-assign]  # a defect on purpose
mailbox = Mailbox()
make = BreakingEngine if "breaks" in sys.argv else RecordingEngine
engine = make(replace(STATES[sys.argv[1]], since=time.monotonic()), mailbox)
app = JitiApp(engine, mailbox, folder=Path.cwd(), past=Past(os.environ))
code = app.run(mouse="no-mouse" not in sys.argv)
if app.defect is not None:
    print(told_defect(app.defect, os.environ))
print(f"ended {code!r} {engine.sent}")
