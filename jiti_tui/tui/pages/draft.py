"""The sheet of a proposal that the operator has edited and not run yet."""

from __future__ import annotations

from jiti_tui.engine.phase import Phase
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import sheet_page
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def draft(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet with the draft; the editor lies over it while it is open."""
    edited = scene.view.draft
    paused = scene.stage.phase is Phase.PAUSED
    does = "a repairs with it inside the pause" if paused else "a evaluates it for keeps"
    lines = [paper.heading("Your draft", "Esc ends editing" if scene.view.editing else does)]
    lines += paper.code(edited.text if edited is not None else "") or paper.prose("It is empty.", Role.MUTED)
    return sheet_page(scene, "draft", "Draft", lines, height)
