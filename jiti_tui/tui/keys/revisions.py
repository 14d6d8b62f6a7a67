"""Keys on revisions: mark two, compare, export."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import Compare, ExportRevision, ShowRevision
from jiti_tui.engine.interface.snapshot import RevisionRow
from jiti_tui.tui.pages.difference import pair_name
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Overlay, Pane, Prompt, Sheet


def _in_list(scene: Scene) -> bool:
    return scene.view.front is Pane.REVISIONS and scene.sheet is None


def mark_word(scene: Scene) -> str:
    """Return what Space does."""
    return "Mark" if _in_list(scene) and scene.snapshot.revisions else ""


def mark(shown: Shown, _: str) -> Step:
    """Mark the selected revision, or take its mark away."""
    view, cursor = shown.scene.view, shown.page.cursor
    if not isinstance(cursor, int):
        return Step(view)
    lists = view.lists.marking(cursor)
    told = f"Marked {' and '.join(map(str, sorted(lists.marked)))}. d compares." if lists.marked else ""
    return Step(replace(view, lists=lists), notice=told)


def compare_word(scene: Scene) -> str:
    """Return what `d` does on revisions."""
    on_one = scene.sheet is Sheet.REVISION
    return "Compare" if (_in_list(scene) or on_one) and scene.snapshot.revisions else ""


def compare(shown: Shown, _: str) -> Step:
    """Compare the marked revisions, or the marked one with the selected, or the selected with its parent."""
    scene = shown.scene
    marked = () if scene.sheet is Sheet.REVISION else scene.view.lists.marked
    selected = _selected(shown)
    if selected is None:
        return Step(scene.view)
    if len(marked) == 2:
        before, after = sorted(marked)
    elif len(marked) == 1 and marked[0] != selected.number:
        before, after = sorted((marked[0], selected.number))
    else:
        return _compared(scene, selected.parent, selected.number)
    return _compared(scene, before, after)


def _compared(scene: Scene, before: int | None, after: int) -> Step:
    if before is not None and before < scene.snapshot.lowest_revision:
        return Step(scene.view, notice=f"Revision {before} was pruned: mark two that are there with Space.")
    return Step(scene.view.open(Sheet.DIFFERENCE, pair_name(before, after)), (Compare(before, after),))


def export_word(scene: Scene) -> str:
    """Return what `x` does."""
    return "Export" if (_in_list(scene) or scene.sheet is Sheet.REVISION) and scene.snapshot.revisions else ""


def export(shown: Shown, _: str) -> Step:
    """Ask for the directory of a revision's export."""
    selected = _selected(shown)
    if selected is None:
        return Step(shown.scene.view)
    number = selected.number

    def submit(later: Scene, text: str) -> Step:
        answered = replace(later.view, prompt=None)
        directory = text.strip() or f"rev-{number}"
        told = f"Revision {number} is being exported to {directory}."
        return Step(answered, (ExportRevision(number, directory),), told)

    label = f"Export revision {number} to a new directory (rev-{number}):"
    return Step(shown.scene.view.ask(Prompt("export", label, submit)))


def _selected(shown: Shown) -> RevisionRow | None:
    overlay = shown.scene.overlay
    number = overlay.subject if isinstance(overlay, Overlay) else shown.page.cursor
    return next((row for row in shown.scene.snapshot.revisions if row.number == number), None)


def neighbour_word(scene: Scene) -> str:
    """Return what Left and Right do."""
    return "Other" if scene.sheet in (Sheet.REVISION, Sheet.PROPOSAL) else ""


def neighbour(shown: Shown, name: str) -> Step:
    """Show the next or previous record without going back to its list; newer ones lie to the right."""
    scene = shown.scene
    overlay = scene.overlay
    if overlay is None:
        return Step(scene.view)
    rows = scene.snapshot.revisions[::-1] if overlay.sheet is Sheet.REVISION else scene.snapshot.proposals
    numbers = [row.number for row in rows]
    if overlay.subject not in numbers:
        return Step(scene.view)
    at = numbers.index(int(overlay.subject)) + (1 if name == "right" else -1)
    if not 0 <= at < len(numbers):
        return Step(scene.view, notice="There is no other one on this side.")
    opened = scene.view.open(overlay.sheet, numbers[at])
    return Step(opened, (ShowRevision(numbers[at]),) if overlay.sheet is Sheet.REVISION else ())
