"""The sheet of a proposal that the operator edits, or has edited and not run yet."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.tui.pages.candidates import tried
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.pages.reader import reader_says, said_of_lisp
from jiti_tui.tui.pages.verdicts import Verdict
from jiti_tui.tui.pages.what_if import innermost_level, outcome
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY
from jiti_tui.tui.text.line import Line, chopped
from jiti_tui.tui.text.lisp import Piece, coloured
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def draft(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet with the draft, with a cursor while it is edited."""
    edited = scene.view.draft
    form = edited.form if edited is not None else Form()
    paused = scene.stage.phase is Phase.PAUSED
    does = "a repairs with it inside the pause" if paused else "a evaluates it for keeps"
    lines: list[Line] = [paper.heading("Your draft", "Esc ends editing" if scene.view.editing else does)]
    trial = tried(form.text, scene.snapshot)
    if trial is not None:
        said: Verdict | None = outcome(trial, innermost_level(scene.stage), scene.glyphs)
    elif scene.view.editing:
        said = said_of_lisp(scene.snapshot, form, scene.glyphs)
    else:
        said = reader_says(scene.snapshot, form.text, scene.glyphs)
    lines.append(paper.blank() if said is None else paper.text(f"{said.sign} {said.word}", said.role))
    cursor_line = None
    for row, pieces in enumerate(coloured(form.text)):
        at_cursor = scene.view.editing and row == form.row
        if at_cursor:
            cursor_line = len(lines) + form.column // max(1, paper.width - 2)
        lines += _line(pieces, form.column if at_cursor else None, paper)
    place = scene.view.place(OVERLAY, "draft")
    top = top_of(len(lines), height, place, cursor_line)
    return Page("draft", "Draft", lines, top=top, height=height)


def _line(pieces: Sequence[Piece], column: int | None, paper: Paper) -> list[Line]:
    """Return a line of the form in as many lines as it takes; the cell at `column` is the cursor's."""
    runs = paper.pieces(pieces if column is None else _with_cursor(pieces, column))
    return [paper.line(paper.run(" "), *part) for part in chopped(runs, max(1, paper.width - 2))]


def _with_cursor(pieces: Sequence[Piece], column: int) -> list[Piece]:
    """The pieces with the character at `column` in the cursor's role; behind the last one, a blank is."""
    marked: list[Piece] = []
    start = 0
    for text, role in (*pieces, (" ", Role.TEXT)):
        at = column - start
        if 0 <= at < len(text):
            marked += [(text[:at], role), (text[at], Role.SELECTION), (text[at + 1 :], role)]
        else:
            marked.append((text, role))
        start += len(text)
    return [piece for piece in marked if piece[0]]
