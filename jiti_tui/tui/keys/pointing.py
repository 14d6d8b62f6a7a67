"""The mouse: the wheel scrolls what is under the pointer, a click goes to a pane or a row. Neither decides anything."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.tui.keys.holding import kept
from jiti_tui.tui.keys.inside import follow_cursor
from jiti_tui.tui.keys.move import rolled
from jiti_tui.tui.pages.foot import FOOT_ROWS
from jiti_tui.tui.pages.head import tab_at
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.picture import head_rows, rail_cells, rail_heights
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import OVERLAY, Identity, Pane, Place, View
from jiti_tui.tui.text.paper import Paper

_WHEEL_ROWS = 3

_Spot = tuple[Pane, int | None]
"""What lies under a cell: a pane, and the row of its page, None on its title or its tab."""


def wheel(shown: Shown, x: int, y: int, *, down: bool) -> Step:
    """Return what follows when the wheel is turned over a cell of what was `shown`."""
    scene, spot = shown.scene, _under(shown, x, y)
    view, draft = scene.view, scene.view.draft
    if view.editing and draft is not None:
        form = draft.form.edited("pagedown" if down else "pageup", _WHEEL_ROWS)
        return Step(replace(view, draft=replace(draft, form=form)))
    if spot is None:
        return Step(view)
    slot = _slot(spot[0], scene)
    place = rolled(shown.pages[slot], _WHEEL_ROWS if down else -_WHEEL_ROWS)
    return _moved(shown, spot[0], view.at(slot, place))


def click(shown: Shown, x: int, y: int) -> Step:
    """Return what follows when the left button is pressed on a cell; while somebody types it moves in menus alone."""
    scene, spot = shown.scene, _under(shown, x, y)
    view, prompt = scene.view, scene.view.prompt
    if spot is None or view.editing:
        return Step(view)
    pane, row = spot
    slot = _slot(pane, scene)
    page = shown.pages[slot]
    identity = _identity(page, row)
    if prompt is not None and not (prompt.menu and identity is not None and pane is view.front):
        return Step(view)
    if pane is not view.front or row is None:
        view = view.bring(pane)
    if identity is None:
        return Step(view)
    view = view.at(slot, Place(page.name, identity, page.top))
    return _moved(shown, pane, follow_cursor(scene, view, identity) if pane is Pane.STAGE else view)


def _moved(shown: Shown, pane: Pane, view: View) -> Step:
    """The step to `view`, which on the stage touches a pause as the arrows do."""
    step = Step(view)
    return kept(shown.scene, step) if pane is Pane.STAGE else step


def _slot(pane: Pane, scene: Scene) -> str:
    """The slot of the page that is shown in the place of `pane`."""
    return scene.slot if pane is scene.view.front else pane


def _under(shown: Shown, x: int, y: int) -> _Spot | None:
    """What lies under a cell; None for the head, the foot and gaps."""
    scene = shown.scene
    top, left = head_rows(scene), rail_cells(scene)
    if not scene.wide:
        if y == top - 1:
            stage = shown.pages.get(OVERLAY, shown.pages[Pane.STAGE])
            pane = tab_at(x, scene.view.front, Paper(scene.width, scene.glyphs), stage, shown.pages)
            return (pane, None) if pane is not None else None
        return (scene.view.front, y - top) if top <= y < top + shown.page.height else None
    seen = shown.pages[_slot(Pane.STAGE, scene)]
    rows = seen.height + 1
    if not top <= y < top + rows:
        return None
    if x >= left:
        return Pane.STAGE, y - top - 1 if y > top else None
    row = y - top
    for pane, height in rail_heights(rows, scene.height - top - rows - FOOT_ROWS).items():
        if row < height:
            return pane, row - 1 if row else None
        row -= height
    return None


def _identity(page: Page, row: int | None) -> Identity | None:
    """What the row of a page is about; in a list the line below a row is a part of it."""
    if row is None:
        return None
    found = {line: identity for identity, line in page.choices}
    line = page.top + row
    if line >= len(page.lines):
        return None
    return found.get(line, found.get(line - 1) if page.follows else None)
