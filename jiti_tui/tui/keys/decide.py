"""Keys that decide: yes and no."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import (
    Accept,
    Evaluate,
    Reject,
    Repair,
    Stop,
    TakeSuggestion,
)
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.keys.candidates import take, take_word
from jiti_tui.tui.keys.restarts import abandon, take_suggestion
from jiti_tui.tui.pages.candidates import is_choice
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane, Prompt, Sheet

_AT_WORK = (Phase.STARTING, Phase.TRYING, Phase.CHECKING, Phase.PUBLISHING, Phase.READING, Phase.CLOSED)


def yes_word(scene: Scene) -> str:
    """Return what `a` does."""
    stage = scene.stage
    if scene.sheet is Sheet.DRAFT:
        return "" if stage.phase in _AT_WORK else "Run"
    if is_choice(stage):
        return take_word(scene)
    match stage.phase:
        case Phase.READY:
            return "Accept"
        case Phase.ASKS if stage.suggestion is not None:
            return "Finish" if stage.suggestion.kind == "finish" else "Run"
        case Phase.PAUSED if stage.suggestion is not None:
            return "As recorded" if stage.recorded else "As model"
        case _:
            return ""


def yes(shown: Shown, _: str) -> Step:
    """Accept the outcome, run the proposal, do as the suggestion says, or run the draft."""
    scene = shown.scene
    painted = scene.painted
    if scene.sheet is Sheet.DRAFT:
        text = scene.view.draft.form.text if scene.view.draft is not None else ""
        if not text.strip():
            return Step(scene.view, notice="The draft is empty. e edits it, r discards it.")
        run = Repair(painted, text) if scene.stage.phase is Phase.PAUSED else Evaluate(painted, text)
        return Step(scene.view.bring(Pane.STAGE), (run,))
    if scene.stage.phase is Phase.PAUSED:
        return take_suggestion(shown)
    if is_choice(scene.stage):
        return take(shown)
    if scene.stage.phase is Phase.ASKS:
        return Step(scene.view, (TakeSuggestion(painted),))
    return Step(scene.view.bring(Pane.STAGE), (Accept(painted),))


def no_word(scene: Scene) -> str:
    """Return what `r` does."""
    if scene.sheet is Sheet.DRAFT:
        return "Discard"
    if is_choice(scene.stage):
        return "Reject all" if scene.stage.phase is Phase.ASKS else "Drop all"
    return {Phase.READY: "Reject", Phase.ASKS: "Reject", Phase.PAUSED: "Abandon"}.get(scene.stage.phase, "")


def no(shown: Shown, _: str) -> Step:
    """Ask for the reason, then reject or abandon; a draft is discarded at once."""
    scene = shown.scene
    if scene.sheet is Sheet.DRAFT:
        return Step(replace(scene.view.bring(Pane.STAGE), draft=None))
    if scene.stage.phase is Phase.PAUSED:
        return abandon(scene)
    if is_choice(scene.stage) and scene.stage.phase is not Phase.ASKS:
        # Nobody has proposed them, so that there is nobody to be told why.
        return Step(scene.view, (Stop(),))
    painted = scene.painted
    what = "Reject all" if is_choice(scene.stage) else "Reject"

    def submit(later: Scene, reason: str) -> Step:
        return Step(later.view.bring(Pane.STAGE), (Reject(painted, reason.strip()),))

    return Step(scene.view.ask(Prompt("reject", f"{what}. Reason (may be empty):", submit)))
