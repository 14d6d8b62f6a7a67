"""The two menus of keys: all of them, and all that can be done now. Typing narrows them, Enter runs a row."""

from __future__ import annotations

from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Prompt, Sheet

MENUS = {"keys": Sheet.KEYS, "palette": Sheet.PALETTE}
"""The sheet of each menu, by the name of its prompt."""


def keys_word(_: Scene) -> str:
    """Return what `?` does."""
    return "Keys"


def keys(shown: Shown, _: str) -> Step:
    """Show all keys."""
    return _open(shown, "keys", "Find a key:")


def palette_word(_: Scene) -> str:
    """Return what ctrl+p does."""
    return "Palette"


def palette(shown: Shown, _: str) -> Step:
    """Show all that can be done now."""
    return _open(shown, "palette", "Do:")


def _open(shown: Shown, name: str, label: str) -> Step:
    def submit(later: Scene, _: str) -> Step:
        return Step(later.view.close())

    return Step(shown.scene.view.open(MENUS[name]).ask(Prompt(name, label, submit, remembered=False, menu=True)))
