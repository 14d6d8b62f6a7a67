"""Keys pressed on a hand-made scene, and what was painted there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jiti_tui.engine.interface.commands import Command, Painted
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.keys.press import in_menu, press
from jiti_tui.tui.keys.typing import editing, typing
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import View

Make = Callable[..., Shown]

PAUSED = Painted(7, 8, Phase.PAUSED)
READY = Painted(8, 8, Phase.READY)
ASKS = Painted(4, 7, Phase.ASKS)
NEW = Painted(0, 0, Phase.NEW)
MET = Painted(4, 7, Phase.MET)
HELD = Painted(4, 7, Phase.HELD)
NAMES = {
    ":": "colon",
    "!": "exclamation_mark",
    "?": "question_mark",
    "/": "slash",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "^p": "ctrl+p",
    "^q": "ctrl+q",
    "Esc": "escape",
}


def follow(shown: Shown, view: View) -> Shown:
    """Paint `shown`'s scene again with another view."""
    scene = replace(shown.scene, view=view)
    return Shown(scene, draw(scene).pages)


def keys(shown: Shown, *pressed: str) -> tuple[list[Command], Step, Shown]:
    """Press keys in turn, "text ..." letter by letter. Return the commands sent, the last step, what is shown."""
    sent: list[Command] = []
    step = Step(shown.scene.view)
    for name in pressed:
        for key, character in strokes(name, shown):
            prompt = shown.scene.view.prompt
            if shown.scene.view.editing:
                step = editing(shown, key, character)
            elif prompt is not None and prompt.typed:
                step = in_menu(shown, key) or typing(shown.scene, key, character)
            else:
                step = press(shown, key)
            sent += step.commands
            shown = follow(shown, step.view)
    return sent, step, shown


def strokes(name: str, shown: Shown) -> list[tuple[str, str | None]]:
    if name.startswith("text "):
        return [(character, character) for character in name[5:]]
    return [(NAMES.get(name, name).lower(), name if len(name) == 1 else None)]
