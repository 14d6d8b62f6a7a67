"""Keys that ask for something: a request, a form, a mode, another revision; and those that start and hold the proposer."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.commands import AddRequest, Evaluate, Go, GoBack, Hold, Look, NextRequest, Repair, SetMode
from jiti_tui.engine.phase import Mode, Phase
from jiti_tui.tui.pages.records import live_revision
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane, Prompt, Sheet

_NOT_OPEN = (Phase.STARTING, Phase.CLOSED)
_IDLE = (Phase.NEW, Phase.HELD, Phase.THINKING, Phase.MET, Phase.RECOVERED, Phase.BLOCKED)
_EVALUABLE = (*_IDLE, Phase.PAUSED, Phase.ASKS)
_AUTO_UNSANDBOXED = "auto accepts without you, NOT SANDBOXED. Type auto:"


def open_word(word: str, phases: tuple[Phase, ...] = (), *, but: tuple[Phase, ...] = _NOT_OPEN) -> object:
    """Unused."""
