"""Pictures of every state in colour, at the two sizes that the design names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

STATES = [
    "starting", "new", "thinking", "asks", "trying", "publishing", "paused", "choosing", "ready", "met", "recovered",
    "held", "blocked",
]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("state", STATES)
def test_state(state: str, size: tuple[int, int], stand: Callable[..., Any], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(stand(state).app, terminal_size=size)


@pytest.mark.parametrize("theme", ["light", "contrast", "sixteen", "plain"])
def test_theme(theme: str, stand: Callable[..., Any], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(stand("paused", theme=theme).app, terminal_size=(80, 24))


@pytest.mark.parametrize(
    ("name", "state", "keys"),
    [
        ("goals", "ready", ["f3", "down"]),
        ("revisions", "met", ["f4", "down"]),
        ("proposals", "ready", ["f5", "down"]),
        ("proposal", "ready", ["f5", "down", "enter"]),
        ("keys", "paused", ["question_mark", "down"]),
        ("modes", "held", ["m"]),
        ("changes", "ready", ["d"]),
        ("editor", "asks", ["e", "down", "end"]),
        ("line", "held", ["colon", *"(f 1", "left"]),
        ("next", "met", ["n"]),
    ],
)
def test_pane(
    name: str, state: str, keys: list[str], stand: Callable[..., Any], snap_compare: Callable[..., bool]
) -> None:
    assert snap_compare(stand(state).app, terminal_size=(80, 24), press=keys)
