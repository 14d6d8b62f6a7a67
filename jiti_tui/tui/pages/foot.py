"""The rows at the bottom: the request, or a prompt or a notice in its place; and the keys."""

from __future__ import annotations

from rich.cells import chop_cells

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.tui.keys.footer import footer
from jiti_tui.tui.pages.headline import badge_role
from jiti_tui.tui.pages.reader import said_of_prompt
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Prompt
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.literal import Literal, cells
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

FOOT_ROWS = 2
"""The rows below the stage while neither a notice nor what is typed needs more."""

_FEWEST_TYPED = 20
"""Cells that a prompt's label leaves for what is typed."""


def foot(scene: Scene, paper: Paper) -> list[Line]:
    """Return the rows below the stage. They take a part of the screen's height at most."""
    return [*_request_rows(scene, paper), key_row(scene, paper)]


def _request_rows(scene: Scene, paper: Paper) -> list[Line]:
    """Return the prompt and what is typed, else the notice, else the request."""
    prompt, notice, request = scene.view.prompt, scene.notice, scene.snapshot.request
    if prompt is not None:
        return _prompt_rows(scene, prompt, paper)
    if notice is not None:
        role = Role.BAD if notice.severity is Severity.ERROR else Role.STRONG
        return _whole(notice.text, role, scene.height // 4, paper)
    if request is None:
        return [paper.text("" if scene.snapshot.phase is Phase.STARTING else "No request. i writes one.", Role.MUTED)]
    number = paper.run(f" Request {request.number} of {request.total} ", Role.MUTED)
    return [paper.line(number, Run(paper.clip(request.text, paper.width - cells(number.text) - 1), Role.TEXT))]


def _whole(text: str, role: Role, most: int, paper: Paper) -> list[Line]:
    """Return `text` in the rows that it needs, `most` of them at most; one in any case."""
    lines = paper.prose(text, role)
    if len(lines) <= max(1, most):
        return lines or [paper.blank()]
    if most <= 1:
        return [paper.text(text, role)]
    return [*lines[: most - 1], paper.text(f"{paper.glyphs.ellipsis} {len(lines) - most + 1} more lines", role)]


def _prompt_rows(scene: Scene, prompt: Prompt, paper: Paper) -> list[Line]:
    """The label and what is typed: in one row, or the lines of a form below their label."""
    if not prompt.typed:
        return _whole(prompt.label, Role.TURN, scene.height // 4, paper)
    form = scene.view.typed.form
    below = [_said(scene, prompt, paper)] if prompt.lisp else []
    if len(form.lines) > 1:
        return [*_form_rows(form, _label(scene, prompt), scene.height // 2 - len(below), paper), *below]
    label = Run(paper.clip(_label(scene, prompt), paper.width - 2 - _FEWEST_TYPED), Role.TURN)
    typed = _typed(form.line, form.column, paper.width - cells(label.text) - 3, paper)
    return [paper.line(paper.run(" "), label, paper.run(" "), *typed), *below]


def _label(scene: Scene, prompt: Prompt) -> str:
    search = scene.view.typed.search
    return prompt.label if search is None else f"Search {search.text!r}:"


def _said(scene: Scene, prompt: Prompt, paper: Paper) -> Line:
    """The row below what is typed; it is there from the start, so that what comes late moves nothing."""
    said = said_of_prompt(scene, prompt)
    return paper.blank() if said is None else paper.text(f"{said.sign} {said.word}", said.role)


def _form_rows(form: Form, label: str, most: int, paper: Paper) -> list[Line]:
    """The lines around the cursor, `most` of them at most."""
    count = min(len(form.lines), max(1, most - 1))
    first = max(0, min(form.row - count // 2, len(form.lines) - count))
    hidden = f"lines {first + 1}-{first + count} of {len(form.lines)}" if count < len(form.lines) else ""
    rows = [paper.line(paper.run(" "), paper.run(label, Role.TURN), paper.run(f" {hidden}", Role.MUTED))]
    for row in range(first, first + count):
        if row == form.row:
            shown = _typed(form.line, form.column, paper.width - 3, paper)
        else:
            shown = [Run(paper.clip(form.lines[row], paper.width - 3), Role.TEXT)]
        rows.append(paper.line(paper.run("  "), *shown))
    return rows


def _typed(text: str, column: int, width: int, paper: Paper) -> list[Run]:
    """Return a line with its cursor; of one that is too long, the part around the cursor."""
    before = paper.run(text[:column])
    under = paper.run(text[column : column + 1] or " ", Role.SELECTION)
    room = max(1, width - cells(under.text))
    if cells(before.text) > room:
        before = Run(Literal(chop_cells(before.text[::-1], room)[0][::-1]), Role.TEXT)
    return [before, under, paper.run(text[column + 1 :])]


def key_row(scene: Scene, paper: Paper) -> Line:
    """Return the keys that do something, the primary one highlighted."""
    runs: list[Run] = []
    for index, hint in enumerate(footer(scene)):
        if index == 0:
            runs.append(paper.run(f" {hint.label} {hint.word} ", badge_role(scene.snapshot)))
        else:
            runs += [paper.run(f" {hint.label}", Role.KEY), paper.run(f" {hint.word} ")]
    return paper.line(*runs)
