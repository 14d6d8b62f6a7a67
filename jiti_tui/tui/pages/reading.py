"""Pages that are read and scrolled: how their lines become a page."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY, Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def stage_page(scene: Scene, title: str, lines: Sequence[Line], height: int) -> Page:
    """Return a page of the stage without rows to select."""
    place = scene.view.place(Pane.STAGE, scene.stage_name)
    return Page(scene.stage_name, title, lines, top=top_of(len(lines), height, place, None), height=height)


def sheet_page(scene: Scene, name: str, title: str, lines: Sequence[Line], height: int, *, waits: bool = False) -> Page:
    """Return the page of a sheet over the stage, without rows to select; it `waits` for what was asked for."""
    place = scene.view.place(OVERLAY, name)
    return Page(name, title, lines, top=top_of(len(lines), height, place, None), height=height, waits=waits)


def awaited(what: str, scene: Scene) -> str:
    """Return `what` is under way, and for how long once that is worth telling."""
    return f"{what}, for {int(scene.asked)} s. Esc stops it." if scene.asked >= 1 else f"{what}."


def span(first: int, count: int, top: int, height: int) -> str:
    """Return which of a section's lines are in sight, "3-9 of 20"; `first` is the index of its first line."""
    start = max(0, top - first)
    end = min(count, top + height - first)
    return f"{start + 1}-{end} of {count}" if end > start else f"{count} below" if count else ""


def key_lines(paper: Paper, key: str, text: str) -> list[Line]:
    """Return what a key does, or a numbered step: the key, and the text beside it, wrapped between words."""
    return paper.field(key, text, label_cells=3, label_role=Role.KEY)


def keys_section(paper: Paper, title: str, keys: Sequence[tuple[str, str]]) -> list[Line]:
    """Return a section of keys and what they do, without those that have nothing to say."""
    return [paper.heading(title), *(line for key, text in keys if text for line in key_lines(paper, key, text))]
