"""From a key press to what follows: a key acts on what was painted, and nothing acts unseen."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.keys.holding import holding
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.listing import entries, run
from jiti_tui.tui.keys.menu import MENUS
from jiti_tui.tui.keys.move import move
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.pages.headline import WORKING_PHASES
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import TOO_LATE, Step
from jiti_tui.tui.state.view import Pane

_MOVES = ("up", "down", "pageup", "pagedown")
_LEAVE = ("escape", "ctrl+c", "ctrl+g")
_EARLY = "The world is still starting: the key did nothing."
_AT_WORK = "Work is under way: the key did nothing."
_OPENS = ("question_mark", "f1", "ctrl+p")


def press(shown: Shown, name: str) -> Step:
    """Return what follows when the key called `name` is pressed on what was `shown`."""
    scene = shown.scene
    prompt = scene.view.prompt
    if prompt is not None:
        closed = replace(scene.view, prompt=None)
        if name == "enter":
            return prompt.submit(scene, "")
        if name in ("escape", "ctrl+c"):
            return Step(closed)
        return press(replace(shown, scene=replace(scene, view=closed)), name)
    key = find(name, scene)
    if key is not None:
        return _act(key, shown, name)
    if scene.stage.phase not in WORKING_PHASES or not any(name in known.names for known in KEYS if known.settles):
        return Step(scene.view)
    return Step(scene.view, notice=_EARLY if scene.stage.phase is Phase.STARTING else _AT_WORK)


def find(name: str, scene: Scene) -> Key | None:
    """Return the key called `name` that has something to do in `scene`."""
    return next((key for key in KEYS if name in key.names and key.word(scene)), None)


def _act(key: Key, shown: Shown, name: str) -> Step:
    scene = shown.scene
    if key.needs is not None and not _in_front(key.needs, scene):
        return Step(scene.view.bring(key.needs))
    if key.settles and not shown.seen:
        return Step(scene.view, notice=TOO_LATE)
    return holding(key, scene, key.act(shown, name))


def _in_front(pane: Pane, scene: Scene) -> bool:
    if pane is Pane.STAGE:
        return scene.stage_in_front
    return scene.view.front is pane and scene.overlay is None


def in_menu(shown: Shown, name: str) -> Step | None:
    """Return what follows from a key that moves in the rows which typing narrows, or runs one; None for all others."""
    scene = shown.scene
    prompt = scene.view.prompt
    if prompt is None or not prompt.menu:
        return None
    if name in _MOVES:
        return move(shown, name)
    if prompt.name not in MENUS:
        return None
    if name in _LEAVE or (name in _OPENS and not scene.view.typed.text):
        return Step(scene.view.close())
    if name == "enter":
        chosen = next((entry for entry in entries(scene) if entry.name == shown.page.cursor), None)
        return run(chosen, shown) if chosen is not None else Step(scene.view)
    return None
