"""The list of keys, made from the table that dispatches them."""

from __future__ import annotations

from jiti_tui.tui.keys.listing import described, listed
from jiti_tui.tui.pages.page import Page, cursor_of, top_of
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import OVERLAY, Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_LABEL_CELLS = 9
_WORD_CELLS = 14


def key_list(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the list: each key, what it does in general, and what it does now. Enter presses the selected one."""
    runnable = {id(key) for key in listed(scene)}
    lines: list[Line] = [paper.heading("Keys", "Enter presses one")]
    choices: list[tuple[Identity, int]] = []
    for key, word in described(scene):
        if id(key) in runnable:
            choices.append((key.label, len(lines)))
        lines.append(
            paper.line(
                paper.fit(f" {key.label}", _LABEL_CELLS, Role.KEY if word else Role.MUTED),
                paper.fit(key.help, paper.width - _LABEL_CELLS - _WORD_CELLS - 1, Role.TEXT if word else Role.MUTED),
                paper.run(" "),
                paper.fit(word, _WORD_CELLS - 1, Role.MUTED),
            )
        )
    place = scene.view.place(OVERLAY, "keys")
    cursor = cursor_of(choices, place)
    at = dict(choices).get(cursor) if cursor is not None else None
    if at is not None:
        lines[at] = paper.select(lines[at])
    return Page("keys", "Keys", lines, choices, cursor, top_of(len(lines), height, place, at), height)
