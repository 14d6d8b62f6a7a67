"""The revisions, newest first."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import RevisionRow
from jiti_tui.tui.pages.matching import NO_MATCH, Matching
from jiti_tui.tui.pages.page import Lines, Page, cursor_of, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import age

EMPTY = "No revision yet. a on a ready candidate makes revision 1."
_FEWEST_DIGITS = 3
"""Width of the numbers, the margin included."""
_RIGHT_CELLS = 18
"""Width of what stands right of the summary: goals, origin, age."""


_matching: Matching[RevisionRow] = Matching(lambda row: (str(row.number), row.summary, row.request, row.origin))


def revisions(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the page of the revisions pane."""
    known, sought = scene.snapshot.revisions, scene.sought(Pane.REVISIONS)
    rows = _matching(known, sought)
    marked = scene.view.lists.marked
    digits = max(_FEWEST_DIGITS, 1 + len(str(rows[0].number))) if rows else 0
    place = scene.view.place(Pane.REVISIONS, "revisions")
    choices = [(row.number, index) for index, row in enumerate(rows)]
    cursor = cursor_of(choices, place)
    in_front = scene.view.front is Pane.REVISIONS
    index = next((index for number, index in choices if number == cursor), None)

    def write(row: RevisionRow) -> Line:
        mark = paper.glyphs.mark if row.number in marked else " "
        line = _line(row, scene.now, paper, digits=digits, mark=mark)
        return paper.select(line) if in_front and row.number == cursor else line

    return Page(
        name="revisions",
        title=revisions_title(scene, len(rows)),
        lines=Lines(rows, write, _pruned(scene, paper)) if rows else paper.prose(_empty(scene), Role.MUTED),
        choices=choices,
        cursor=cursor,
        top=top_of(len(rows) + (scene.snapshot.lowest_revision > 0), height, place, index),
        height=height,
    )


def revisions_title(scene: Scene, shown: int) -> str:
    """Return "Revisions", with the newest of them on a narrow screen, or how many match what is sought."""
    rows, sought = scene.snapshot.revisions, scene.sought(Pane.REVISIONS)
    if sought:
        return f"Revisions {shown}/{len(rows)} /{sought}"
    return "Revisions" if scene.wide else f"Revisions {rows[0].number if rows else 0}"


def _empty(scene: Scene) -> str:
    if scene.snapshot.revisions:
        return NO_MATCH
    return "Revisions are known once the world has started." if scene.snapshot.phase is Phase.STARTING else EMPTY


def _pruned(scene: Scene, paper: Paper) -> list[Line]:
    lowest = scene.snapshot.lowest_revision
    if not lowest:
        return []
    return [paper.text(f"  {'0' if lowest == 1 else f'0 to {lowest - 1}'}  pruned on purpose", Role.MUTED)]


def origin_word(origin: str) -> str:
    """Return who proposed a revision in one short word."""
    return {"base": "-", "operator": "you"}.get(origin, origin.split(" ", maxsplit=1)[0])


def _line(row: RevisionRow, now: float, paper: Paper, *, digits: int, mark: str) -> Line:
    met, total = row.goals
    role = Role.GOOD if row.live else Role.TEXT
    summary = paper.fit(row.summary, paper.width - digits - 1 - _RIGHT_CELLS, role)
    goals = f"{met}/{total}" if total else ""
    when = "live" if row.live else age(now - row.time)
    # One run a row: a page of them is what a switch to this pane writes.
    return paper.line(
        paper.run(f"{row.number:>{digits}}{mark}", role),
        summary,
        paper.fit(f"{goals:>5} {origin_word(row.origin):<7}{when:>4}", _RIGHT_CELLS - 1, role),
    )
