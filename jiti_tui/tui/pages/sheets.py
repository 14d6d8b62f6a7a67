"""Which page lies over the stage."""

from __future__ import annotations

from jiti_tui.tui.pages import records
from jiti_tui.tui.pages.changes import changes
from jiti_tui.tui.pages.difference import difference
from jiti_tui.tui.pages.draft import draft
from jiti_tui.tui.pages.key_list import key_list, palette
from jiti_tui.tui.pages.modes import modes
from jiti_tui.tui.pages.outcomes import outcomes
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.trial import compared, trial
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Overlay, Sheet
from jiti_tui.tui.text.paper import Paper


def sheet(scene: Scene, overlay: Overlay, paper: Paper, height: int) -> Page:
    """Return the page of `overlay`."""
    match overlay.sheet:
        case Sheet.CHANGES:
            return changes(scene, paper, height)
        case Sheet.DRAFT:
            return draft(scene, paper, height)
        case Sheet.KEYS:
            return key_list(scene, paper, height)
        case Sheet.MODES:
            return modes(scene, paper, height)
        case Sheet.TRIAL:
            return trial(scene, overlay.subject, paper, height)
        case Sheet.COMPARED:
            return compared(scene, paper, height)
        case Sheet.PALETTE:
            return palette(scene, paper, height)
        case Sheet.DIFFERENCE:
            return difference(scene, overlay.subject, paper, height)
        case Sheet.OUTCOMES:
            return outcomes(scene, paper, height)
        case Sheet.LOOKED:
            return records.looked(scene, paper, height)
        case Sheet.CHECK:
            return records.check(scene, overlay.subject, paper, height)
        case Sheet.REVISION:
            return records.revision(scene, overlay.subject, paper, height)
        case Sheet.PROPOSAL:
            return records.proposal(scene, overlay.subject, paper, height)
