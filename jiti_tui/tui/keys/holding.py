"""In mode auto the model leaves a pause by itself. Once the operator touches the pause, the model is held instead."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import Hold, ShowFrame, WhatIf
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane

_TOUCHES = ("arrows", ":")
"""Keys that touch a pause besides those that need its stage."""
_LOOKS = (WhatIf, ShowFrame)


def holding(key: Key, scene: Scene, step: Step) -> Step:
    """Return `step`, which holds the model where it touches a pause that the model would leave by itself."""
    return kept(scene, step) if key.needs is Pane.STAGE or key.label in _TOUCHES else step


def kept(scene: Scene, step: Step) -> Step:
    """Return `step`, which touches what is in front: a pause that the model would leave by itself is held."""
    stage = scene.stage
    races = stage.phase is Phase.PAUSED and stage.mode is Mode.AUTO and not stage.held and scene.stage_in_front
    if not races or not all(isinstance(command, _LOOKS) for command in step.commands):
        return step
    told = step.notice or "You touch the pause: the model is held, its answer waits as row a. p goes on."
    return replace(step, commands=(*step.commands, Hold()), notice=told)
