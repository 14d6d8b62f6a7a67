"""The key that tries forms beside others before one is chosen: the draft, or what is or was proposed."""

from __future__ import annotations

from jiti_tui.engine.interface.commands import TryProposals, WhatIf
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.keys.trying import goes_on
from jiti_tui.tui.pages.candidates import IDLE, tried
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane, Sheet

_TRIED = "It is tried already, and stands among the candidates."


def beside_word(scene: Scene) -> str:
    """Return what `w` does outside of the menu of a pause."""
    stage = scene.stage
    if scene.sheet is Sheet.DRAFT:
        return "What if" if stage.phase in (*IDLE, Phase.ASKS, Phase.PAUSED) else ""
    if stage.phase not in (*IDLE, Phase.ASKS):
        return ""
    if scene.view.front is Pane.PROPOSALS or scene.sheet is Sheet.PROPOSAL:
        return "What if" if any(row.kind == "evaluate" for row in scene.snapshot.proposals) else ""
    return "What if" if scene.stage_in_front and _suggested(scene) else ""


def beside(shown: Shown, _: str) -> Step:
    """Try forms in a copy of the world: the draft's, the selected proposal's, or those of the one that waits."""
    scene = shown.scene
    forms = _forms(shown)
    if not forms.strip():
        return Step(scene.view, notice="There are no forms to be tried.")
    if scene.stage.phase is Phase.PAUSED:
        return _repair(scene, forms)
    return tries_beside(scene, forms)


def tries_beside(scene: Scene, forms: str) -> Step:
    """Have `forms` tried, and beside them the proposal that waits, so that one of both can be chosen."""
    wanted = [each for each in dict.fromkeys((_suggested(scene), forms)) if each and tried(each, scene.stage) is None]
    if not wanted:
        return Step(scene.view.bring(Pane.STAGE), notice=_TRIED)
    return Step(scene.view.bring(Pane.STAGE), (TryProposals(scene.painted, tuple(wanted)),))


def _repair(scene: Scene, forms: str) -> Step:
    """Try `forms` as a repair inside the pause."""
    restart = goes_on(scene.stage)
    if not restart:
        return Step(scene.view, notice="No restart goes on without a value: the repair cannot be tried.")
    return Step(scene.view, (WhatIf(scene.painted, restart, (), forms),))


def _suggested(scene: Scene) -> str:
    """The forms of the proposal that waits, "" where none does."""
    suggestion = scene.stage.suggestion if scene.stage.phase is Phase.ASKS else None
    return suggestion.body if suggestion is not None and suggestion.kind == "evaluate" else ""


def _forms(shown: Shown) -> str:
    """The forms that `w` tries, "" where there are none."""
    scene = shown.scene
    if scene.sheet is Sheet.DRAFT:
        return scene.view.draft.form.text if scene.view.draft is not None else ""
    if scene.view.front is Pane.PROPOSALS or scene.sheet is Sheet.PROPOSAL:
        number = scene.overlay.subject if scene.overlay is not None else shown.page.cursor
        rows = (row for row in scene.snapshot.proposals if row.number == number and row.kind == "evaluate")
        return next((row.body for row in rows), "")
    return _suggested(scene)
