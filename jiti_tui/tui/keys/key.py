"""A key of the screen."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.frozen import frozen
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane


@frozen
class Key:
    """`word` says in a word or two what the key does in a scene, "" where it does nothing.

    A key that does nothing is neither shown nor obeyed.
    """

    names: tuple[str, ...]
    """As the terminal's driver calls it."""
    label: str
    help: str
    word: Callable[[Scene], str]
    act: Callable[[Shown, str], Step]
    """Takes what was painted and the name of the key."""
    needs: Pane | None = None
    """What must be in front for the key to act; elsewhere the key brings it there instead."""
    settles: bool = False
    """The key decides something, so it is dropped while the stage is too new to have been read."""
