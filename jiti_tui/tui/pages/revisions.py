"""The revisions, newest first."""

from __future__ import annotations

from jiti_tui.engine.snapshot import RevisionRow
from jiti_tui.tui.pages.page import Lines, Page, cursor_of, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import age

EMPTY = "No revision yet. a on a ready candidate makes revision 1."
_RIGHT_CELLS = 18
"""Width of what stands right of the summary: goals, origin, age."""


def revisions(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the page of the revisions pane."""
    rows = scene.snapshot.revisions
    place = scene.view.place(Pane.REVISIONS, "revisions")
    choices = [(row.number, index) for index, row in enumerate(rows)]
    cursor = cursor_of(choices, place)
    in_front = scene.view.front is Pane.REVISIONS
    index = next((index for number, index in choices if number == cursor), None)

    def write(row: RevisionRow) -> Line:
        line = _line(row, scene.now, paper)
        return paper.select(line) if in_front and row.number == cursor else line

    return Page(
        name="revisions",
        title="Revisions",
        lines=Lines(rows, write) if rows else paper.prose(EMPTY, Role.MUTED),
        choices=choices,
        cursor=cursor,
        top=top_of(len(rows), height, place, index),
        height=height,
    )


def origin_word(origin: str) -> str:
    """Return who proposed a revision in one short word."""
    return {"base": "-", "operator": "you"}.get(origin, origin.split(" ", maxsplit=1)[0])


def _line(row: RevisionRow, now: float, paper: Paper) -> Line:
    met, total = row.goals
    summary = paper.fit(row.summary, paper.width - 4 - _RIGHT_CELLS)
    goals = f"{met}/{total}" if total else ""
    when = paper.fit(f"{'live' if row.live else age(now - row.time):>4}", 4, Role.GOOD if row.live else Role.MUTED)
    return paper.line(
        paper.fit(f"{row.number:>3} ", 4, Role.KEY),
        summary,
        paper.run(f"{goals:>5} "),
        paper.fit(origin_word(row.origin), 7, Role.MUTED),
        when,
    )
