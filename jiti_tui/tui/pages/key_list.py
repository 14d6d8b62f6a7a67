"""The menus of keys, made from the table that dispatches them."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.tui.keys.listing import Entry, key_entries, palette_entries
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY, Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_LABEL_CELLS = 12
_WORD_CELLS = 14
NO_MATCH = "Nothing matches. Backspace takes a letter back."


def key_list(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the menu of all keys: each with what it does in general, and what it does now."""
    return _menu(scene, "Keys", key_entries(scene), paper, height)


def palette(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the menu of all that can be done now."""
    return _menu(scene, "Palette", palette_entries(scene), paper, height)


def _menu(scene: Scene, title: str, rows: Sequence[Entry], paper: Paper, height: int) -> Page:
    lines: list[Line] = [paper.heading(title, "type to find, Enter runs")]
    choices: list[tuple[Identity, int]] = []
    for row in rows:
        if row.act is not None:
            choices.append((row.name, len(lines)))
        lines.append(
            paper.line(
                paper.fit(f" {row.label}", _LABEL_CELLS, Role.KEY if row.now else Role.MUTED),
                paper.fit(row.does, paper.width - _LABEL_CELLS - _WORD_CELLS - 1, Role.TEXT if row.now else Role.MUTED),
                paper.run(" "),
                paper.fit(row.now, _WORD_CELLS - 1, Role.MUTED),
            )
        )
    if not rows:
        lines += paper.prose(NO_MATCH, Role.MUTED)
    name = f"{title} {scene.view.typed.text}"
    place = scene.view.place(OVERLAY, name)
    cursor = cursor_of(choices, place)
    at = dict(choices).get(cursor) if cursor is not None else None
    if at is not None:
        lines[at] = paper.select(lines[at])
    return Page(name, title, lines, choices, cursor, top_of(len(lines), height, place, at), height)
