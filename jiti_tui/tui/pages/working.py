"""The stage while an attempt runs, is checked, or is published."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate, Snapshot
from jiti_tui.tui.pages.candidates import candidates_of
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import stage_page
from jiti_tui.tui.pages.revisions import origin_word
from jiti_tui.tui.pages.what_if import outcome
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_UNDER_WAY = (Fate.RUNNING, Fate.READY, Fate.PAUSED, Fate.WAITING, Fate.TAKEN)

_WHAT_HAPPENS = {
    Phase.TRYING: "It runs in a copy of the world. The world itself waits, unchanged.",
    Phase.CHECKING: "Goals and invariants are asked in copies of the candidate.",
    Phase.PUBLISHING: "A fresh process imports what will be on disk and checks it again. Then it counts.",
}


def working(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage that says what is being done to which proposal."""
    snapshot = scene.stage
    if snapshot.phase is Phase.TRYING and candidates_of(snapshot):
        return _side_by_side(scene, paper, height)
    lines: list[Line] = [paper.heading(f"Attempt {snapshot.attempt}")]
    lines += paper.prose(_WHAT_HAPPENS.get(snapshot.phase, ""), Role.MUTED)
    lines += proposal_lines(snapshot, paper)
    return stage_page(scene, snapshot.phase.value.capitalize(), lines, height)


def _side_by_side(scene: Scene, paper: Paper, height: int) -> Page:
    """Several answers at once: what is known of each so far."""
    rows = candidates_of(scene.stage)
    lines: list[Line] = [paper.heading(f"{len(rows)} answers, tried side by side")]
    lines += paper.prose("Each runs in a copy of the world of its own. The world itself waits, unchanged.", Role.MUTED)
    for row in rows:
        stands = outcome(row, None, paper.glyphs)
        first, _, rest = row.forms.partition("\n")
        told = paper.fit(first + (paper.glyphs.ellipsis if rest else ""), paper.width // 2)
        lines.append(
            paper.line(paper.run(" "), told, paper.run("  "), paper.run(f"{stands.sign} {stands.word}", stands.role))
        )
    return stage_page(scene, "Trying", lines, height)


def proposal_lines(snapshot: Snapshot, paper: Paper) -> list[Line]:
    """Return the proposal under way: what it is, its forms, and what was said with it."""
    row = next((row for row in reversed(snapshot.proposals) if row.fate in _UNDER_WAY), None)
    if row is None:
        return []
    lines: list[Line] = [paper.heading(row.kind.capitalize(), origin_word(row.origin))]
    lines += paper.code(row.body) or paper.prose("Nothing more.", Role.MUTED)
    if row.rationale:
        lines.append(paper.heading("Why"))
        lines += paper.prose(row.rationale)
    return lines
