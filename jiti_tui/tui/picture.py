"""The whole screen as lines: a pure function of a scene."""

from __future__ import annotations

from jiti_tui.frozen import frozen
from jiti_tui.tui.pages.foot import FOOT_ROWS, foot
from jiti_tui.tui.pages.goals import goals
from jiti_tui.tui.pages.head import head, pane_title
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.proposals import proposals
from jiti_tui.tui.pages.revisions import revisions
from jiti_tui.tui.pages.sheets import sheet
from jiti_tui.tui.pages.stages import stage
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY, Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper

STAGE_CELLS = 80
RAIL_CELLS = 40
"""Width of the rail where there is room for it, its gap to the stage included."""
NARROWEST_RAIL = 30


@frozen
class Picture:
    """The four parts of the screen as lines of full width, and the pages they show by slot."""

    head: list[Line]
    rail: list[Line]
    stage: list[Line]
    foot: list[Line]
    pages: dict[str, Page]


def rail_cells(scene: Scene) -> int:
    """Return the width of the rail, 0 on a narrow screen. The stage gets its 80 columns first, and what is left."""
    return max(NARROWEST_RAIL, min(RAIL_CELLS, scene.width - STAGE_CELLS)) if scene.wide else 0


def head_rows(scene: Scene) -> int:
    """Return the number of rows above the stage."""
    return 2 if scene.wide or scene.bare else 3


def draw(scene: Scene) -> Picture:
    """Return the picture of `scene`."""
    whole = Paper(scene.width, scene.glyphs)
    at_foot = foot(scene, whole)
    body = max(0, scene.height - head_rows(scene) - len(at_foot))
    on_stage = whole.narrowed(scene.width - rail_cells(scene))
    on_rail = whole.narrowed(rail_cells(scene) - 2) if scene.wide else on_stage
    title = 1 if scene.wide else 0
    heights = (
        rail_heights(body, len(at_foot) - FOOT_ROWS)
        if scene.wide
        else dict.fromkeys((Pane.GOALS, Pane.REVISIONS, Pane.PROPOSALS), body)
    )
    pages: dict[str, Page] = {
        Pane.STAGE: stage(scene, on_stage, max(0, body - title)),
        Pane.GOALS: goals(scene, on_rail, max(0, heights[Pane.GOALS] - title)),
        Pane.REVISIONS: revisions(scene, on_rail, max(0, heights[Pane.REVISIONS] - title)),
        Pane.PROPOSALS: proposals(scene, on_rail, max(0, heights[Pane.PROPOSALS] - title)),
    }
    overlay = scene.overlay
    if overlay is not None:
        pages[OVERLAY] = sheet(scene, overlay, on_stage, max(0, body - title))
    seen = pages[OVERLAY if overlay is not None else Pane.STAGE]
    return Picture(
        head=head(scene, whole, seen, pages),
        rail=_rail(scene, pages, heights, whole.narrowed(rail_cells(scene))) if scene.wide else [],
        stage=_stage(scene, seen if scene.wide else pages[scene.slot], on_stage, body),
        foot=at_foot,
        pages=pages,
    )


def rail_heights(rows: int, covered: int) -> dict[Pane, int]:
    """Return how many of the `rows` of the rail each pane gets, its title included.

    `covered` is how many rows the foot takes from the rail just now. Panes have fixed shares of the rail's usual
    height, and a larger foot covers the last rows: neither news nor a prompt moves a pane.
    """
    usual = rows + covered
    ends = {Pane.GOALS: usual * 14 // 36, Pane.REVISIONS: usual * 14 // 36 + usual * 8 // 36, Pane.PROPOSALS: usual}
    heights: dict[Pane, int] = {}
    for pane, end in ends.items():
        heights[pane] = min(end, rows) - sum(heights.values())
    return heights


def _rail(scene: Scene, pages: dict[str, Page], heights: dict[Pane, int], paper: Paper) -> list[Line]:
    lines: list[Line] = []
    inner = paper.narrowed(paper.width - 2)
    for pane, height in heights.items():
        if height > 0:
            rows = [pane_title(scene, inner, pane, pages[pane]), *pages[pane].shown]
            lines += [paper.line(*line) for line in _filled(rows, inner, height)]
    return lines


def _stage(scene: Scene, page: Page, paper: Paper, height: int) -> list[Line]:
    rows = [pane_title(scene, paper, Pane.STAGE, page)] if scene.wide else []
    return _filled([*rows, *page.shown], paper, height)


def _filled(lines: list[Line], paper: Paper, height: int) -> list[Line]:
    return [*lines[:height], *[paper.blank()] * (height - len(lines))]
