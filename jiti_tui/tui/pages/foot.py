"""The rows at the bottom: the request, or a prompt or a notice in its place; and the keys."""

from __future__ import annotations

from rich.cells import chop_cells

from jiti_tui.engine.phase import Phase
from jiti_tui.engine.snapshot import Severity
from jiti_tui.tui.keys.footer import footer
from jiti_tui.tui.pages.headline import badge_role
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Prompt
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.literal import Literal, cells
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_FEWEST_TYPED = 20
"""Cells that a prompt's label leaves for what is typed."""


def foot(scene: Scene, paper: Paper) -> list[Line]:
    """Return the rows below the stage."""
    return [request_row(scene, paper), key_row(scene, paper)]


def request_row(scene: Scene, paper: Paper) -> Line:
    """Return the prompt's label, else the notice, else the request."""
    prompt, notice, request = scene.view.prompt, scene.notice, scene.snapshot.request
    if prompt is not None:
        return _prompt_row(scene, prompt, paper)
    if notice is not None:
        return paper.text(notice.text, Role.BAD if notice.severity is Severity.ERROR else Role.STRONG)
    if request is None:
        return paper.text("" if scene.snapshot.phase is Phase.STARTING else "No request. i writes one.", Role.MUTED)
    number = paper.run(f" Request {request.number} of {request.total} ", Role.MUTED)
    return paper.line(number, Run(paper.clip(request.text, paper.width - cells(number.text) - 1), Role.TEXT))


def _prompt_row(scene: Scene, prompt: Prompt, paper: Paper) -> Line:
    """The label, and what is typed; a line too long for the row shows the part around the cursor."""
    label = Run(paper.clip(prompt.label, paper.width - 2 - (_FEWEST_TYPED if prompt.typed else 0)), Role.TURN)
    if not prompt.typed:
        return paper.line(paper.run(" "), label)
    typed = scene.view.typed
    before = paper.run(typed.text[: typed.cursor])
    under = paper.run(typed.text[typed.cursor : typed.cursor + 1] or " ", Role.SELECTION)
    after = paper.run(typed.text[typed.cursor + 1 :])
    room = max(1, paper.width - cells(label.text) - 3 - cells(under.text))
    hidden = cells(before.text) - room
    if hidden > 0:
        before = Run(Literal(chop_cells(before.text[::-1], room)[0][::-1]), Role.TEXT)
    return paper.line(paper.run(" "), label, paper.run(" "), before, under, after)


def key_row(scene: Scene, paper: Paper) -> Line:
    """Return the keys that do something, the primary one highlighted."""
    runs: list[Run] = []
    for index, hint in enumerate(footer(scene)):
        if index == 0:
            runs.append(paper.run(f" {hint.label} {hint.word} ", badge_role(scene.snapshot)))
        else:
            runs += [paper.run(f" {hint.label}", Role.KEY), paper.run(f" {hint.word} ")]
    return paper.line(*runs)
