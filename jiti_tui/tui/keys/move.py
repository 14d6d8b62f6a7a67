"""Keys that move: the cursor, the pages, the panes, back."""

from __future__ import annotations

from jiti_tui.engine.commands import Stop
from jiti_tui.engine.phase import Phase
from jiti_tui.tui.pages.headline import is_working
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Place, Sheet

_RECORDS = {
    Pane.GOALS: (Sheet.CHECK, "Read"),
    Pane.REVISIONS: (Sheet.REVISION, "Evidence"),
    Pane.PROPOSALS: (Sheet.PROPOSAL, "Read"),
}


def move_word(_: Scene) -> str:
    """Return what the arrows do."""
    return "Move"


def move(shown: Shown, name: str) -> Step:
    """Move the cursor, or scroll where there is nothing to select."""
    page, scene = shown.page, shown.scene
    step = page.height - 1
    if page.choices and (page.follows or name in ("up", "down", "j", "k")):
        by = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -step, "pagedown": step}
        place = _select(page, by.get(name, -len(page.choices) if name == "home" else len(page.choices)))
    else:
        lines = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -step, "pagedown": step, "home": -len(page.lines)}
        top = max(0, min(page.last_top, page.top + lines.get(name, len(page.lines))))
        place = Place(page.name, page.cursor, top)
    return Step(scene.view.at(scene.slot, place))


def pane_word(_: Scene) -> str:
    """Return what Tab does."""
    return "Panes"


def next_pane(shown: Shown, name: str) -> Step:
    """Bring the next or previous pane to the front."""
    panes = list(Pane)
    by = -1 if name == "shift+tab" else 1
    return Step(shown.scene.view.bring(panes[(panes.index(shown.scene.view.front) + by) % len(panes)]))


def pane(shown: Shown, name: str) -> Step:
    """Bring the pane of an F key to the front."""
    return Step(shown.scene.view.bring(list(Pane)[int(name[1:]) - 2]))


def open_word(scene: Scene) -> str:
    """Return what Enter does in a list."""
    record = _RECORDS.get(scene.view.front)
    return record[1] if record is not None and scene.sheet is None else ""


def open_record(shown: Shown, _: str) -> Step:
    """Show the selected row in full over the stage."""
    view, cursor = shown.scene.view, shown.page.cursor
    return Step(view if cursor is None else view.open(_RECORDS[view.front][0], cursor))


def changes_word(scene: Scene) -> str:
    """Return what `d` does."""
    return "Changes" if scene.stage.phase is Phase.READY and scene.stage.outcome is not None else ""


def changes(shown: Shown, _: str) -> Step:
    """Show all changes in full."""
    scene = shown.scene
    if scene.sheet is Sheet.CHANGES:
        return Step(scene.view.close())
    return Step(scene.view.open(Sheet.CHANGES, scene.stage_name))


def keys_word(_: Scene) -> str:
    """Return what `?` does."""
    return "Keys"


def keys(shown: Shown, _: str) -> Step:
    """Show the list of keys."""
    view = shown.scene.view
    return Step(view.close() if shown.scene.sheet is Sheet.KEYS else view.open(Sheet.KEYS))


def escape_word(scene: Scene) -> str:
    """Return what Esc does."""
    if scene.sheet is not None or scene.view.front is not Pane.STAGE:
        return "Back"
    return "Stop" if is_working(scene.snapshot) and scene.snapshot.phase is not Phase.STARTING else ""


def escape(shown: Shown, _: str) -> Step:
    """Go back one step; with nothing open, stop the work."""
    scene = shown.scene
    if scene.overlay is not None:
        return Step(scene.view.close())
    if scene.view.front is not Pane.STAGE:
        return Step(scene.view.bring(Pane.STAGE))
    return Step(scene.view, (Stop(),))


def quit_word(_: Scene) -> str:
    """Return what ctrl+q does."""
    return "Quit"


def leave(shown: Shown, _: str) -> Step:
    """End the program; nothing accepted is lost."""
    return Step(shown.scene.view, quits=True)


def remind_word(_: Scene) -> str:
    """Return what q does."""
    return "Reminder"


def remind(shown: Shown, _: str) -> Step:
    """Say which key quits: the hand that types q elsewhere must not end anything here."""
    return Step(shown.scene.view, notice="q does nothing here. ctrl+q quits.")


def _select(page: Page, by: int) -> Place:
    identities: list[Identity] = [identity for identity, _ in page.choices]
    at = identities.index(page.cursor) if page.cursor is not None else 0
    cursor, line = page.choices[max(0, min(len(identities) - 1, at + by))]
    top = top_of(len(page.lines), page.height, Place(page.name, top=page.top), line)
    return Place(page.name, cursor, top)
