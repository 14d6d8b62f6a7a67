"""The key that copies: the forms, the source or the text that is looked at, else the page as it stands."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Change, Snapshot
from jiti_tui.tui.pages.goals import identity
from jiti_tui.tui.state.errand import CopyText
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Sheet
from jiti_tui.tui.text.diff import difference

_OF_PANES = {Pane.GOALS: Sheet.CHECK, Pane.REVISIONS: Sheet.REVISION, Pane.PROPOSALS: Sheet.PROPOSAL}


def copy_word(scene: Scene) -> str:
    """Return what `y` does."""
    return "" if scene.snapshot.phase is Phase.STARTING else "Copy"


def copy(shown: Shown, _: str) -> Step:
    """Copy what is looked at."""
    what = _looked_at(shown) or CopyText("the page", _page(shown))
    return Step(shown.scene.view, errand=what)


def _looked_at(shown: Shown) -> CopyText | None:
    scene, snapshot = shown.scene, shown.scene.snapshot
    overlay = scene.overlay
    if overlay is not None:
        return _record(overlay.sheet, overlay.subject, scene)
    pane = scene.view.front
    if pane is not Pane.STAGE and shown.page.cursor is not None:
        return _record(_OF_PANES[pane], shown.page.cursor, scene)
    if snapshot.phase is Phase.READY and snapshot.outcome is not None:
        return CopyText("the difference", _changes((*snapshot.outcome.definitions, *snapshot.outcome.data)))
    if snapshot.phase is Phase.ASKS and snapshot.suggestion is not None:
        return CopyText("the proposal", snapshot.suggestion.body)
    return None


def _record(sheet: Sheet, subject: Identity, scene: Scene) -> CopyText | None:
    snapshot = scene.snapshot
    match sheet:
        case Sheet.PROPOSAL:
            body = next((row.body for row in snapshot.proposals if row.number == subject), "")
            return CopyText(f"proposal {subject}", body) if body else None
        case Sheet.CHECK:
            return _check(snapshot, subject)
        case Sheet.DIFFERENCE if snapshot.compared is not None and snapshot.compared.changes:
            return CopyText("the difference", _changes(snapshot.compared.changes))
        case Sheet.LOOKED if snapshot.looked is not None:
            return CopyText("the answer", snapshot.looked.text)
        case Sheet.DRAFT if scene.view.draft is not None:
            return CopyText("the draft", scene.view.draft.form.text)
        case Sheet.REVISION:
            row = next((row for row in snapshot.revisions if row.number == subject), None)
            return CopyText(f"revision {subject}", f"{row.number} {row.summary}\n{row.request}\n") if row else None
    return None


def _check(snapshot: Snapshot, subject: Identity) -> CopyText | None:
    row = next((row for row in snapshot.checks if identity(row) == subject), None)
    return CopyText(f"the {row.kind.value}", row.text or row.name) if row is not None else None


def _changes(changes: tuple[Change, ...]) -> str:
    return "\n".join("\n".join(sign + text for sign, text in difference(change)) for change in changes) + "\n"


def _page(shown: Shown) -> str:
    lines = ("".join(run.text for run in line).rstrip() for line in shown.page.lines)
    return "\n".join(line.removeprefix(" ") for line in lines) + "\n"
