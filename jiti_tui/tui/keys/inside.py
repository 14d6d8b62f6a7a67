"""Keys that look around in a pause: its levels, its frames, their variables and their source."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.pages.paused import looked_at
from jiti_tui.tui.pages.stack import frame_identity, frame_index, frame_looked_at, shows_source
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Inside, Pane, Place, View


def locals_word(scene: Scene) -> str:
    """Return what `t` does."""
    return "Locals" if _has_frames(scene) else ""


def show_locals(shown: Shown, _: str) -> Step:
    """Show or hide the variables of the frame that is looked at."""
    inside = looks(shown.scene)
    return Step(_showing(shown, replace(inside, locals=not inside.locals), shows=not inside.locals))


def source_word(scene: Scene) -> str:
    """Return what `v` does."""
    return "Source" if _has_frames(scene) else ""


def show_source(shown: Shown, _: str) -> Step:
    """Show or hide the source of the frame that is looked at."""
    inside = looks(shown.scene)
    stands = shows_source(inside, shown.page.height)
    return Step(_showing(shown, replace(inside, source=not stands), shows=not stands))


def show_frame(shown: Shown) -> Step:
    """Show all that is known of the frame that is looked at."""
    return Step(_showing(shown, replace(looks(shown.scene), locals=True, source=True), shows=True))


def _showing(shown: Shown, inside: Inside, *, shows: bool) -> View:
    """The view with other details; what it now `shows` comes into sight, from the frame on."""
    view, page = look(shown.scene, inside), shown.page
    pause = shown.scene.stage.pause
    index = frame_looked_at(pause, inside) if pause is not None else None
    frame = page.line_of(frame_identity(index)) if index is not None else None
    if not shows or frame is None:
        return view
    return view.at(Pane.STAGE, Place(page.name, page.cursor, frame - 1))


def level_word(scene: Scene) -> str:
    """Return what `[` and `]` do."""
    pause = scene.stage.pause
    return "Level" if scene.stage.phase is Phase.PAUSED and pause is not None and len(pause.levels) > 1 else ""


def level(shown: Shown, name: str) -> Step:
    """Look at the next outer or inner level of the pause."""
    scene = shown.scene
    pause, present = scene.stage.pause, looked_at(scene)
    if pause is None or present is None:
        return Step(scene.view)
    at = pause.levels.index(present) + (-1 if name == "left_square_bracket" else 1)
    at = max(0, min(len(pause.levels) - 1, at))
    wanted = None if at == len(pause.levels) - 1 else pause.levels[at].level
    return Step(look(scene, replace(looks(scene), level=wanted)))


def looks(scene: Scene) -> Inside:
    """Return where in the pause the operator looks."""
    return scene.view.looks(scene.stage_name)


def look(scene: Scene, inside: Inside) -> View:
    """Return the view that looks elsewhere in the pause."""
    return replace(scene.view, inside=inside)


def follow_cursor(scene: Scene, view: View, cursor: Identity | None) -> View:
    """Return the view that looks at the frame under the cursor; the last one stays while it is on none."""
    index = frame_index(cursor)
    if index is None or scene.stage.phase is not Phase.PAUSED:
        return view
    return replace(view, inside=replace(looks(scene), frame=index))


def _has_frames(scene: Scene) -> bool:
    pause = scene.stage.pause if scene.stage.phase is Phase.PAUSED else None
    return pause is not None and frame_looked_at(pause, looks(scene)) is not None
