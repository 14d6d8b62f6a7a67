"""Keys that move: the cursor, the pages, the panes, back."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import Stop, StopLooking
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.keys.filters import is_filtered, unfiltered
from jiti_tui.tui.keys.inside import follow_cursor
from jiti_tui.tui.pages.candidates import chosen, is_choice
from jiti_tui.tui.pages.headline import is_working
from jiti_tui.tui.pages.other_answers import other_of
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.pages.restarts import SUGGESTION
from jiti_tui.tui.pages.what_if import trial_of, trial_of_suggestion
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Place, Sheet


def move_word(_: Scene) -> str:
    """Return what the arrows do."""
    return "Move"


def move(shown: Shown, name: str) -> Step:
    """Move the cursor, or scroll where there is nothing to select."""
    page, scene = shown.page, shown.scene
    name = {"less_than_sign": "home", "greater_than_sign": "end"}.get(name, name)
    step = page.height - 1
    if page.choices and (page.follows or name in ("up", "down", "j", "k")):
        by = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -step, "pagedown": step}
        place = _select(page, by.get(name, -len(page.choices) if name == "home" else len(page.choices)))
    else:
        lines = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -step, "pagedown": step, "home": -len(page.lines)}
        place = _scroll(page, lines.get(name, len(page.lines)))
    return Step(follow_cursor(scene, scene.view.at(scene.slot, place), place.cursor))


def rolled(page: Page, by: int) -> Place:
    """Return where `page` stands after the mouse's wheel was turned by so many rows, down where they are above 0."""
    return _select(page, by) if page.choices and page.follows else _scroll(page, by)


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


def changes_word(scene: Scene) -> str:
    """Return what `d` does."""
    stage = scene.stage
    if stage.phase is Phase.READY and stage.outcome is not None:
        return "Changes"
    if is_choice(stage):
        return "Compare" if len(scene.view.marked(scene.stage_name)) == 2 else "Changes"
    return "In full" if stage.phase in (Phase.PAUSED, Phase.ASKS) and any(row.ended for row in stage.trials) else ""


def changes(shown: Shown, _: str) -> Step:
    """Show all changes in full: of the outcome, of the selected candidate or restart, or between two candidates."""
    scene = shown.scene
    if scene.sheet in (Sheet.CHANGES, Sheet.TRIAL, Sheet.COMPARED):
        return Step(scene.view.close())
    if scene.stage.phase is Phase.READY:
        return Step(scene.view.open(Sheet.CHANGES, scene.stage_name))
    if is_choice(scene.stage) and len(scene.view.marked(scene.stage_name)) == 2:
        return Step(scene.view.open(Sheet.COMPARED, scene.stage_name))
    row = _selected_trial(shown)
    if row is None:
        return Step(scene.view, notice="Nothing is known of it yet. Select a restart that was tried, or w tries it.")
    return Step(scene.view.open(Sheet.TRIAL, row.number))


def _selected_trial(shown: Shown) -> TrialRow | None:
    scene, cursor = shown.scene, shown.pages[Pane.STAGE].cursor
    if is_choice(scene.stage):
        selected = chosen(scene)
        return selected[1] if selected is not None else None
    if cursor == SUGGESTION or scene.stage.phase is Phase.ASKS:
        return trial_of_suggestion(scene.stage)
    other = other_of(cursor, scene.stage)
    if other is not None:
        return other
    pause = scene.stage.pause
    restart = next((row for row in pause.restarts if row.id == cursor), None) if pause is not None else None
    return trial_of(restart, scene.stage) if restart is not None else None


def zoom_word(scene: Scene) -> str:
    """Return what `z` does."""
    return "Zoom out" if scene.view.zoomed else "Zoom"


def zoom(shown: Shown, _: str) -> Step:
    """Give what is in front the whole screen, or take it back."""
    view = shown.scene.view
    return Step(replace(view, zoomed=not view.zoomed))


def escape_word(scene: Scene) -> str:
    """Return what Esc does."""
    if is_filtered(scene.view):
        return "All rows"
    if scene.looking:
        return "Stop"
    if scene.sheet is not None or scene.view.front is not Pane.STAGE or scene.view.zoomed:
        return "Back"
    works = is_working(scene.snapshot) and scene.snapshot.phase is not Phase.STARTING
    return "Stop" if works or _tries(scene) else ""


def _tries(scene: Scene) -> bool:
    """What would come of something is being tried, and nobody else is at work."""
    return not is_working(scene.snapshot) and any(not row.ended for row in scene.snapshot.trials)


def escape(shown: Shown, _: str) -> Step:
    """Stop what the operator waits for; else go back one step; with nothing open, stop the work."""
    scene = shown.scene
    if scene.looking:
        return Step(scene.view, (StopLooking(),))
    if scene.overlay is not None:
        return Step(scene.view.close(), (StopLooking(),) if shown.page.waits else ())
    if is_filtered(scene.view):
        return Step(unfiltered(scene.view))
    if scene.view.front is not Pane.STAGE:
        return Step(scene.view.bring(Pane.STAGE))
    if scene.view.zoomed:
        return Step(replace(scene.view, zoomed=False))
    return Step(scene.view, (StopLooking() if _tries(scene) else Stop(),))


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


def _scroll(page: Page, by: int) -> Place:
    return Place(page.name, page.cursor, max(0, min(page.last_top, page.top + by)))


def _select(page: Page, by: int) -> Place:
    identities: list[Identity] = [identity for identity, _ in page.choices]
    at = identities.index(page.cursor) if page.cursor is not None else 0
    cursor, line = page.choices[max(0, min(len(identities) - 1, at + by))]
    top = top_of(len(page.lines), page.height, Place(page.name, top=page.top), line)
    return Place(page.name, cursor, top)
