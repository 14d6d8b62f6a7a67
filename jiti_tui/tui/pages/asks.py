"""The stage while a proposal waits for the operator before it runs."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import ProposalRow
from jiti_tui.tui.pages.candidates import tried
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import stage_page
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.spent import tokens_of
from jiti_tui.tui.pages.what_if import outcome
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_WHAT_IT_DOES = {
    "evaluate": "Runs in a copy of the world. Whatever it does, you see the outcome first.",
    "inspect": "Looks at the world in a throwaway copy. It can change nothing.",
    "finish": "Says that the request is done. The world stays as it is.",
}


def asks(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage with the whole proposal."""
    suggestion = scene.stage.suggestion
    if suggestion is None:
        return stage_page(scene, "Asks", paper.prose("Nothing is proposed.", Role.MUTED), height)
    lines: list[Line] = [paper.heading(f"Proposal: {suggestion.kind}", f"for generation {suggestion.generation}")]
    lines += paper.prose(_WHAT_IT_DOES.get(suggestion.kind, ""), Role.MUTED)
    lines += paper.lisp(suggestion.body)
    trial = tried(suggestion.body, scene.snapshot) if suggestion.body else None
    if trial is not None:
        stands = outcome(trial, None, paper.glyphs)
        lines += [paper.heading("What if", "d in full"), paper.text(f"{stands.sign} {stands.word}", stands.role)]
    lines.append(paper.heading(f"The {speaker(scene.stage)} says", _spent(suggestion)))
    lines += paper.prose(suggestion.rationale) or paper.prose("Nothing.", Role.MUTED)
    return stage_page(scene, "Asks", lines, height)


def _spent(suggestion: ProposalRow) -> str:
    return f"{tokens_of(suggestion)} tokens" if suggestion.tokens else ""
