"""The list of keys, and which of them do something at the moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.scene import Scene

_NOT_RUN = ("Enter", "arrows", "Tab", "F2-F5", "Esc", "?")
"""Keys that mean something else inside the list itself."""


def _beneath(scene: Scene) -> Scene:
    """The scene without the sheet: keys mean what they mean there."""
    return replace(scene, view=scene.view.close())


def described(scene: Scene) -> Sequence[tuple[Key, str]]:
    """Return every key with what it does now, "" where it does nothing; of several of one name, the one that does."""
    under = _beneath(scene)
    found: dict[str, tuple[Key, str]] = {}
    for key in KEYS:
        word = key.word(under)
        if key.label not in found or (word and not found[key.label][1]):
            found[key.label] = (key, word)
    return list(found.values())


def listed(scene: Scene) -> Sequence[Key]:
    """Return the keys that Enter in the list can press."""
    return [key for key, word in described(scene) if word and key.label not in _NOT_RUN]
