"""Which page the stage shows."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.pages.asks import asks
from jiti_tui.tui.pages.candidates import is_choice
from jiti_tui.tui.pages.choose import choose
from jiti_tui.tui.pages.idle import blocked, held, met, reading, recovered
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.paused import paused
from jiti_tui.tui.pages.review import review
from jiti_tui.tui.pages.start import start
from jiti_tui.tui.pages.thinking import thinking
from jiti_tui.tui.pages.working import working
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.paper import Paper

_STAGES = {
    Phase.STARTING: start,
    Phase.NEW: start,
    Phase.THINKING: thinking,
    Phase.ASKS: asks,
    Phase.TRYING: working,
    Phase.CHECKING: working,
    Phase.PUBLISHING: working,
    Phase.PAUSED: paused,
    Phase.READY: review,
    Phase.MET: met,
    Phase.RECOVERED: recovered,
    Phase.BLOCKED: blocked,
    Phase.HELD: held,
    Phase.READING: reading,
    Phase.CLOSED: held,
}

_TITLES = {Phase.STARTING: "Starting", Phase.NEW: "Start", Phase.THINKING: "Model", Phase.READY: "Review"}


def stage(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the page for the phase that the stage shows."""
    if is_choice(scene.stage):
        return choose(scene, paper, height)
    return _STAGES[scene.stage.phase](scene, paper, height)


def stage_title(snapshot: Snapshot) -> str:
    """Return the stage's title: "Review", "Paused"."""
    return "Choose" if is_choice(snapshot) else _TITLES.get(snapshot.phase, snapshot.phase.value.capitalize())
