"""The sheet of a proposal that the operator edits, or has edited and not run yet."""

from __future__ import annotations

from rich.cells import chop_cells

from jiti_tui.engine.phase import Phase
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def draft(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet with the draft, with a cursor while it is edited."""
    edited = scene.view.draft
    form = edited.form if edited is not None else Form()
    paused = scene.stage.phase is Phase.PAUSED
    does = "a repairs with it inside the pause" if paused else "a evaluates it for keeps"
    lines: list[Line] = [paper.heading("Your draft", "Esc ends editing" if scene.view.editing else does)]
    cursor_line = None
    for row, text in enumerate(form.lines):
        at_cursor = scene.view.editing and row == form.row
        if at_cursor:
            cursor_line = len(lines) + form.column // max(1, paper.width - 2)
        lines += _line(text, form.column if at_cursor else None, paper)
    place = scene.view.place(OVERLAY, "draft")
    top = top_of(len(lines), height, place, cursor_line)
    return Page("draft", "Draft", lines, top=top, height=height)


def _line(text: str, column: int | None, paper: Paper) -> list[Line]:
    """Return a line of the form in as many lines as it takes; the cell at `column` is the cursor's."""
    parts = chop_cells(text if column is None else text + " ", max(1, paper.width - 2)) or [""]
    lines: list[Line] = []
    start = 0
    for part in parts:
        at = column - start if column is not None else -1
        if 0 <= at < len(part):
            cursor = paper.run(part[at], Role.SELECTION)
            lines.append(paper.line(paper.run(" " + part[:at]), cursor, paper.run(part[at + 1 :])))
        else:
            lines.append(paper.line(paper.run(" " + part)))
        start += len(part)
    return lines
