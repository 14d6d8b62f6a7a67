"""Pictures of every state: in colour, in sixteen colours, in ASCII, at the sizes that the design names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fakes.states import STATES

from jiti_tui.tui.text.glyphs import ASCII, UNICODE

SIZES = [(80, 24), (120, 40), (60, 20)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_state(state: str, size: tuple[int, int], stand: Callable[..., Any], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(stand(state).app, terminal_size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_sixteen_colours(
    state: str, size: tuple[int, int], stand: Callable[..., Any], snap_compare: Callable[..., bool]
) -> None:
    assert snap_compare(stand(state, theme="sixteen").app, terminal_size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_ascii(state: str, size: tuple[int, int], stand: Callable[..., Any], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(stand(state, theme="sixteen", glyphs=ASCII).app, terminal_size=size)


@pytest.mark.parametrize("state", ["paused", "choose", "ready"])
def test_a_large_screen(state: str, stand: Callable[..., Any], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(stand(state).app, terminal_size=(200, 60))


@pytest.mark.parametrize("theme", ["light", "contrast", "plain"])
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
        ("frame", "paused", ["t", "v", *["down"] * 6]),
        ("outer", "paused", ["left_square_bracket"]),
        ("trial", "paused", ["down", "d"]),
        ("value", "paused", ["down", "down", "w", "4"]),
        ("compared", "choose", ["space", "down", "space", "d"]),
        ("editor", "asks", ["e", "down", "end"]),
        ("line", "held", ["colon", *"(f 1", "left"]),
        ("next", "met", ["n"]),
    ],
)
def test_pane(
    name: str, state: str, keys: list[str], stand: Callable[..., Any], snap_compare: Callable[..., bool]
) -> None:
    assert snap_compare(stand(state).app, terminal_size=(80, 24), press=keys)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("goals", ["f3", "enter"]),
        ("revisions", ["f4", "space", "down", "space"]),
        ("difference", ["f4", "d"]),
        ("proposals", ["f5", "slash", *"acc"]),
        ("outcomes", ["f5", "f", "down"]),
        ("palette", ["ctrl+p", *"co"]),
        ("zoomed", ["f5", "z"]),
    ],
)
def test_lists_in_sixty_columns(
    name: str, keys: list[str], ascii_only: bool, stand: Callable[..., Any], snap_compare: Callable[..., bool]
) -> None:
    theme, glyphs = ("sixteen", ASCII) if ascii_only else ("dark", UNICODE)
    assert snap_compare(stand("ready", theme=theme, glyphs=glyphs).app, terminal_size=(60, 20), press=keys)
