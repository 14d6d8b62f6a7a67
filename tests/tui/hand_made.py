"""Shows a hand-made session on a real terminal: `hand_made.py STATE [no-mouse]`. Prints how it ended, what was sent."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

from conftest import STATES, RecordingEngine

from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.tui.past import Past

mailbox = Mailbox()
engine = RecordingEngine(replace(STATES[sys.argv[1]], since=time.monotonic()), mailbox)
code = JitiApp(engine, mailbox, folder=Path.cwd(), past=Past(os.environ)).run(mouse="no-mouse" not in sys.argv)
print(f"ended {code!r} {engine.sent}")
