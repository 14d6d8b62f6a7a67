"""The sheet that tells what differs between two revisions, or what the first one holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jiti_tui.engine.interface.query_results import Compared
from jiti_tui.tui.pages.differences import in_full
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import awaited, sheet_page
from jiti_tui.tui.pages.review import described, names
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def pair_name(before: int | None, after: int) -> str:
    """Return what stands for a comparison: "2 3"; the first of a revision without parent is "-"."""
    return f"{'-' if before is None else before} {after}"


def difference(scene: Scene, subject: Identity, paper: Paper, height: int) -> Page:
    """Return the sheet of the comparison called `subject`."""
    before, _, after = str(subject).partition(" ")
    title = f"Revision {after}" if before == "-" else f"Revisions {before} and {after}"
    compared = scene.snapshot.compared
    if compared is None or pair_name(compared.before, compared.after) != subject:
        told = awaited("They are being compared" if before != "-" else "It is being read", scene)
        waiting = [paper.heading(title), *paper.prose(told, Role.MUTED)]
        return sheet_page(scene, f"difference {subject}", "Difference", waiting, height, waits=True)
    lines = _lines(compared, title, paper)
    return sheet_page(scene, f"difference {subject}", "Difference", lines, height)


@lru_cache(maxsize=2)
def _lines(compared: Compared, title: str, paper: Paper) -> Sequence[Line]:
    if compared.reason:
        return [paper.heading(title), *paper.prose(compared.reason, Role.BAD)]
    lines: list[Line] = [paper.heading(title, names(compared.changes))]
    for change in compared.changes:
        lines += [paper.text(described(change), Role.STRONG), *in_full(change, paper)]
    return lines if compared.changes else [*lines, *paper.prose("Nothing differs.", Role.MUTED)]
