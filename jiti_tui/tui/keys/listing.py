"""The list of keys, and which of them do something at the moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.scene import Scene

_NOT_RUN = ("Enter", "arrows", "Tab", "F2-F5", "Esc", "?")
"""Keys that mean something else inside the list itself."""


def beneath(scene: Scene) -> Scene:
    """Return the scene without the sheet: keys mean what they mean there."""
    return replace(scene, view=scene.view.close())


def described(scene: Scene) -> Sequence[tuple[Key, str]]:
    """Return every key of the screen, each once, with what it does now, "" where it does nothing."""
    under = beneath(scene)
    return [(key, key.word(under)) for key in KEYS]


def listed(scene: Scene) -> Sequence[Key]:
    """Return the keys that Enter in the list can press."""
    return [key for key, word in described(scene) if word and key.label not in _NOT_RUN]
