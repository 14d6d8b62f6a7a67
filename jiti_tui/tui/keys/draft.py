"""The key that edits a proposal."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate, ProposalRow
from jiti_tui.tui.pages.candidates import chosen, is_choice, proposal_of
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Draft, Pane, Sheet

_REPLACED = "Tabs have become blanks, and characters that cannot be shown escapes such as \\x1b."
_WITH_FORMS = ("evaluate", "repair")
_NOT_NOW = (Phase.STARTING, Phase.TRYING, Phase.CHECKING, Phase.PUBLISHING, Phase.READING, Phase.CLOSED)


def edit_word(scene: Scene) -> str:
    """Return what `e` does."""
    if scene.stage.phase in _NOT_NOW:
        return ""
    if scene.sheet is Sheet.DRAFT:
        return "Edit"
    if _selected_from_log(scene):
        return "Try again" if any(row.kind in _WITH_FORMS for row in scene.snapshot.proposals) else ""
    if source(scene) is None and not is_choice(scene.stage):
        return ""
    return "Edit lost" if scene.stage.phase is Phase.RECOVERED else "Edit"


def edit(shown: Shown, _: str) -> Step:
    """Open the editor on a proposal's forms: the selected one's, else those of the one that waits, else the last."""
    scene = shown.scene
    view = scene.view
    if scene.sheet is Sheet.DRAFT:
        return Step(replace(view, editing=True))
    candidate = chosen(scene) if is_choice(scene.stage) and not _selected_from_log(scene) else None
    if candidate is not None and proposal_of(candidate[1], scene.stage) is None:
        opened = view.open(Sheet.DRAFT)
        return Step(replace(opened, draft=Draft(-candidate[1].number, Form.of(candidate[1].forms)), editing=True))
    row = _selected(shown) if _selected_from_log(scene) else source(scene)
    if row is None:
        return Step(view, notice="This proposal has no forms to edit.")
    resumes = view.draft is not None and view.draft.source == row.number
    if resumes:
        return Step(replace(view.open(Sheet.DRAFT), editing=True))
    form = Form.of(row.body)
    opened = replace(view.open(Sheet.DRAFT), draft=Draft(row.number, form), editing=True)
    return Step(opened, notice="" if form.text == row.body else _REPLACED)


def source(scene: Scene) -> ProposalRow | None:
    """Return the proposal that `e` edits on the stage; outside a pause a whole evaluation rather than a repair."""
    stage = scene.stage
    selected = chosen(scene) if is_choice(stage) else None
    if selected is not None:
        return proposal_of(selected[1], stage)
    if stage.suggestion is not None and stage.suggestion.kind in _WITH_FORMS:
        return stage.suggestion
    wanted = [row for row in stage.proposals if row.kind in _WITH_FORMS and row.body]
    if stage.phase is Phase.RECOVERED:
        wanted = [row for row in wanted if row.fate is Fate.LOST]
    if stage.phase is not Phase.PAUSED:
        wanted = [row for row in wanted if row.kind == "evaluate"] or wanted
    return wanted[-1] if wanted else None


def _selected_from_log(scene: Scene) -> bool:
    return scene.view.front is Pane.PROPOSALS or scene.sheet is Sheet.PROPOSAL


def _selected(shown: Shown) -> ProposalRow | None:
    scene = shown.scene
    overlay = scene.overlay
    number = overlay.subject if overlay is not None else shown.page.cursor
    return next(
        (row for row in scene.snapshot.proposals if row.number == number and row.kind in _WITH_FORMS and row.body), None
    )
