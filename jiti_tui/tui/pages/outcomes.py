"""The menu of outcomes by which the proposals are filtered."""

from __future__ import annotations

from collections import Counter

from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY, Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

ALL = "all"


def outcomes(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the menu, with how many proposals have come to each outcome; those that none has are left out."""
    rows = scene.snapshot.proposals
    counts = Counter(row.fate for row in rows)
    present = scene.view.lists.fate
    entries = [(ALL, len(rows)), *((fate.value, counts[fate]) for fate in Fate if counts[fate] or fate is present)]
    choices: list[tuple[Identity, int]] = [(name, 1 + index) for index, (name, _) in enumerate(entries)]
    place = scene.view.place(OVERLAY, "outcomes")
    cursor = cursor_of(choices, place, present.value if present is not None else ALL)
    lines: list[Line] = [paper.heading("Proposals by outcome", "Enter chooses")]
    for name, count in entries:
        line = paper.line(paper.fit(f"  {name}", 14, Role.STRONG), paper.run(f"{count:>6}", Role.MUTED))
        lines.append(paper.select(line) if name == cursor else line)
    at = dict(choices).get(cursor) if cursor is not None else None
    top = top_of(len(lines), height, place, at)
    return Page("outcomes", "Outcomes", lines, choices, cursor, top, height=height)
