"""Keys while the operator types on the request row."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import View

LEAVE = ("escape", "ctrl+c", "ctrl+g")


def typing(scene: Scene, name: str, character: str | None) -> Step:
    """Return what follows when a key is pressed while a prompt waits for text."""
    view = scene.view
    prompt = view.prompt
    if prompt is None:
        return Step(view)
    if name in LEAVE:
        return Step(replace(view, prompt=None, memory=view.memory.left(prompt.name, view.typed.text)))
    if name == "enter":
        sent = replace(view, memory=view.memory.sending(prompt.name, view.typed.text))
        return prompt.submit(replace(scene, view=sent), view.typed.text)
    if name in ("up", "down"):
        return Step(_recalled(view, prompt.name, 1 if name == "up" else -1))
    if character is not None and character.isprintable():
        return Step(replace(view, typed=view.typed.insert(character)))
    return Step(replace(view, typed=view.typed.edited(name)))


def _recalled(view: View, name: str, by: int) -> View:
    memory = view.memory.left(name, view.typed.text) if view.typed.recalled == 0 else view.memory
    return replace(view, memory=memory, typed=memory.recall(name, view.typed, by))
