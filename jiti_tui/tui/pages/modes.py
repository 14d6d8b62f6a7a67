"""The menu of modes."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Mode
from jiti_tui.tui.pages.page import Page, cursor_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_MEANINGS = {
    Mode.REVIEW: "What comes of a proposal waits for you.",
    Mode.ASK: "Every proposal waits for you before it runs.",
    Mode.AUTO: "Nothing waits. What passes the checks is accepted.",
}


def modes(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the menu; the cursor starts on the present mode."""
    present = scene.snapshot.mode
    place = scene.view.place(OVERLAY, "modes")
    choices = [(mode.value, 1 + index) for index, mode in enumerate(_MEANINGS)]
    cursor = cursor_of(choices, place, present.value)
    lines: list[Line] = [paper.heading("Who consents", f"now {present.value}")]
    for mode, meaning in _MEANINGS.items():
        line = paper.line(paper.fit(f"  {mode.value}", 10, Role.STRONG), paper.fit(meaning, paper.width - 11))
        lines.append(paper.select(line) if mode.value == cursor else line)
    return Page("modes", "Mode", lines, choices, cursor, height=height)
