"""From a key press to what follows: a key acts on what was painted, and nothing acts unseen."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.listing import listed
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import TOO_LATE, Step
from jiti_tui.tui.state.view import Pane, Sheet


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
    if scene.sheet is Sheet.KEYS and name == "enter":
        return _run_listed(shown)
    key = find(name, scene)
    return Step(scene.view) if key is None else _act(key, shown, name)


def find(name: str, scene: Scene) -> Key | None:
    """Return the key called `name` that has something to do in `scene`."""
    return next((key for key in KEYS if name in key.names and key.word(scene)), None)


def _act(key: Key, shown: Shown, name: str) -> Step:
    scene = shown.scene
    if key.needs is not None and not _in_front(key.needs, scene):
        return Step(scene.view.bring(key.needs))
    if key.settles and not shown.seen:
        return Step(scene.view, notice=TOO_LATE)
    return key.act(shown, name)


def _in_front(pane: Pane, scene: Scene) -> bool:
    if pane is Pane.STAGE:
        return scene.stage_in_front
    return scene.view.front is pane and scene.overlay is None


def _run_listed(shown: Shown) -> Step:
    """Enter in the list of keys: close the list, then press the selected key. What needs the stage only brings it."""
    scene = shown.scene
    key = next((key for key in listed(scene) if key.label == shown.page.cursor), None)
    if key is None:
        return Step(scene.view)
    if key.needs is not None:
        return Step(scene.view.bring(key.needs))
    closed = replace(scene, view=scene.view.close())
    return key.act(replace(shown, scene=closed), key.names[0])
