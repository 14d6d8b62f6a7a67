"""Keys that concern the terminal alone."""

from __future__ import annotations

from jiti_tui.tui.state.errand import Repaint, Suspend
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step


def repaint_word(_: Scene) -> str:
    """Return what ctrl+l does."""
    return "Repaint"


def repaint(shown: Shown, _: str) -> Step:
    """Paint everything again."""
    return Step(shown.scene.view, errand=Repaint())


def suspend_word(_: Scene) -> str:
    """Return what ctrl+z does."""
    return "Shell"


def suspend(shown: Shown, _: str) -> Step:
    """Give the terminal back to the shell."""
    return Step(shown.scene.view, errand=Suspend())
