"""All that would change, in full: checks, definitions, data, warnings, value and output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jiti_tui.engine.interface.snapshot import Change, CheckRow, Outcome
from jiti_tui.tui.pages.differences import in_full
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import sheet_page
from jiti_tui.tui.pages.review import described
from jiti_tui.tui.pages.verdicts import NAME_COLUMN, check_line, gained, lost, seen
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.wrap import LONGEST_TEXT


def changes(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet that leaves nothing out."""
    outcome = scene.stage.outcome
    if outcome is None:
        return sheet_page(scene, "changes", "Changes", paper.prose("Nothing waits for consent.", Role.MUTED), height)
    lines = [*flips(scene.stage.checks, paper), *_written(outcome, paper)]
    return sheet_page(scene, f"changes {scene.stage_name}", "Changes", lines, height)


@lru_cache(maxsize=2)
def _written(outcome: Outcome, paper: Paper) -> Sequence[Line]:
    return written(outcome.definitions, outcome.data, outcome.warnings, outcome.value, outcome.output, paper)


def written(
    definitions: Sequence[Change],
    data: Sequence[Change],
    warnings: Sequence[str],
    value: str,
    output: str,
    paper: Paper,
) -> list[Line]:
    """Return sections with all that an evaluation has led to."""
    lines = [*section("Definitions", definitions, paper), *section("Data", data, paper)]
    lines.append(paper.heading("Warnings", str(len(warnings))))
    for warning in warnings:
        lines += paper.prose(warning)
    lines += [paper.heading("Value"), *paper.code(value)]
    if output:
        lines += [paper.heading("Output"), *paper.code(output)]
    return lines


def flips(checks: Sequence[CheckRow], paper: Paper) -> list[Line]:
    """Return a section of the checks that flip, with all that was seen."""
    flipped = [check for check in checks if lost(check) or gained(check)]
    lines: list[Line] = [paper.heading("Checks that flip", str(len(flipped)))]
    for check in sorted(flipped, key=gained):
        lines.append(check_line(check, paper))
        lines += paper.prose(seen(check, paper.glyphs, LONGEST_TEXT), Role.MUTED, indent=NAME_COLUMN)
    return lines


def section(title: str, changed: Sequence[Change], paper: Paper) -> list[Line]:
    """Return a section of what differs, in full."""
    lines: list[Line] = [paper.heading(title, str(len(changed)))]
    for change in changed:
        lines.append(paper.text(described(change), Role.STRONG))
        lines += in_full(change, paper)
    return lines
