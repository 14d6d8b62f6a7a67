"""Keys on the rows of the lists: read one in full, open it in an editor."""

from __future__ import annotations

from jiti_tui.engine.interface.commands import Command, ShowRevision, TraceCheck
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import CheckRow
from jiti_tui.tui.pages.goals import identity
from jiti_tui.tui.state.errand import OpenFile
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Sheet

_RECORDS = {
    Pane.GOALS: (Sheet.CHECK, "Source"),
    Pane.REVISIONS: (Sheet.REVISION, "Evidence"),
    Pane.PROPOSALS: (Sheet.PROPOSAL, "Read"),
}
_GOALS_FILE = "goals.lisp"


def open_word(scene: Scene) -> str:
    """Return what Enter does in a list."""
    record = _RECORDS.get(scene.view.front)
    return record[1] if record is not None and scene.sheet is None else ""


def open_record(shown: Shown, _: str) -> Step:
    """Show the selected row in full over the stage, and ask for what of it is not known yet."""
    scene, cursor = shown.scene, shown.page.cursor
    if cursor is None:
        return Step(scene.view)
    pane = scene.view.front
    return Step(scene.view.open(_RECORDS[pane][0], cursor), _questions(scene, pane, cursor))


def _questions(scene: Scene, pane: Pane, cursor: Identity) -> tuple[Command, ...]:
    if pane is Pane.REVISIONS and isinstance(cursor, int):
        return (ShowRevision(cursor),)
    check = _check(scene, cursor) if pane is Pane.GOALS else None
    return (TraceCheck(check.kind, check.name),) if check is not None else ()


def editor_word(scene: Scene) -> str:
    """Return what `o` does."""
    in_goals = scene.view.front is Pane.GOALS and scene.sheet is None
    return "Editor" if (in_goals or scene.sheet is Sheet.CHECK) and scene.snapshot.phase is not Phase.STARTING else ""


def editor(shown: Shown, _: str) -> Step:
    """Open the file of the check that is selected or shown; without any, the file where goals are looked for."""
    scene = shown.scene
    overlay = scene.overlay
    check = _check(scene, overlay.subject if overlay is not None else shown.page.cursor)
    target = OpenFile(check.file, check.line) if check is not None else OpenFile(_GOALS_FILE)
    return Step(scene.view, errand=target)


def _check(scene: Scene, subject: Identity | None) -> CheckRow | None:
    return next((check for check in scene.snapshot.checks if identity(check) == subject), None)
