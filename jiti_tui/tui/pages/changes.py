"""All that would change, in full: checks, definitions, data, warnings, value and output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jiti_tui.engine.snapshot import Change, Outcome
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import sheet_page
from jiti_tui.tui.pages.review import described, wrapped_diff_line
from jiti_tui.tui.pages.verdicts import NAME_COLUMN, check_line, gained, lost, seen
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.diff import difference
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.wrap import LONGEST_TEXT


def changes(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet that leaves nothing out."""
    outcome = scene.stage.outcome
    if outcome is None:
        return sheet_page(scene, "changes", "Changes", paper.prose("Nothing waits for consent.", Role.MUTED), height)
    lines = [*_checks(scene, paper), *_written(outcome, paper)]
    return sheet_page(scene, f"changes {scene.stage_name}", "Changes", lines, height)


@lru_cache(maxsize=2)
def _written(outcome: Outcome, paper: Paper) -> Sequence[Line]:
    lines = [*_section("Definitions", outcome.definitions, paper), *_section("Data", outcome.data, paper)]
    lines.append(paper.heading("Warnings", str(len(outcome.warnings))))
    for warning in outcome.warnings:
        lines += paper.prose(warning)
    lines += [paper.heading("Value"), *paper.code(outcome.value)]
    if outcome.output:
        lines += [paper.heading("Output"), *paper.code(outcome.output)]
    return lines


def _checks(scene: Scene, paper: Paper) -> list[Line]:
    flips = [check for check in scene.stage.checks if lost(check) or gained(check)]
    lines: list[Line] = [paper.heading("Checks that flip", str(len(flips)))]
    for check in sorted(flips, key=gained):
        lines.append(check_line(check, paper))
        lines += paper.prose(seen(check, paper.glyphs, LONGEST_TEXT), Role.MUTED, indent=NAME_COLUMN)
    return lines


def _section(title: str, changed: Sequence[Change], paper: Paper) -> list[Line]:
    lines: list[Line] = [paper.heading(title, str(len(changed)))]
    for change in changed:
        lines.append(paper.text(described(change), Role.STRONG))
        for line in difference(change):
            lines += wrapped_diff_line(line, paper)
    return lines
