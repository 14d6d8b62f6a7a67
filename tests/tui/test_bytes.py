"""How many bytes a move and a switch take: in every state, in every pane, in every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

import pytest
from fakes.keyboard import keys
from rich.color import ColorSystem

from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.terminal.abilities import Abilities
from jiti_tui.tui.terminal.display import Display
from jiti_tui.tui.theme import Theme, built_in

Make = Callable[..., Shown]

XTERM = Abilities(erases_in_colour=True, erases_cells=True, shifts=True, repeats=True)
TMUX = Abilities(erases_in_colour=True, shifts=True)
PANES = ("F2", "F3", "F4", "F5")
MOVES = (*["down"] * 5, *["up"] * 4, "end", "up")
CURSOR, SWITCH = 600, 2560
"""Bytes that a move of the cursor and a switch may take; the switch's goal is 3 KB."""


def frame(scene: Scene, theme: Theme) -> str:
    """The picture of `scene` as Textual writes it."""
    picture = draw(scene)
    beside = picture.rail or [()] * len(picture.stage)
    rows = [*picture.head, *((*left, *right) for left, right in zip(beside, picture.stage, strict=True)), *picture.foot]
    painted = (
        "".join(theme.roles[run.role].render(run.text, color_system=ColorSystem.EIGHT_BIT) for run in row)
        for row in rows
    )
    return "\n".join(f"\x1b[{y};1H{row}" for y, row in enumerate(painted, start=1))


class Measured:
    """A display on which pictures follow one another."""

    def __init__(self, shown: Shown, theme: Theme, abilities: Abilities) -> None:
        self.shown, self._theme = shown, theme
        self._display = Display(abilities)
        self._bytes(shown)

    def press(self, name: str) -> int:
        """Press a key; return how many bytes its picture takes."""
        self.shown = keys(self.shown, name)[2]
        return self._bytes(self.shown)

    def _bytes(self, shown: Shown) -> int:
        scene = shown.scene
        return len(self._display.shortened(frame(scene, self._theme), scene.width, scene.height).encode())


on_terminals = pytest.mark.parametrize(
    ("theme", "able"), [("dark", XTERM), ("contrast", TMUX)], ids=["dark on xterm", "contrast in tmux"]
)


def in_every_state(states: dict[str, Snapshot], shown: Make, theme: str, able: Abilities) -> Iterator[Measured]:
    for state in states:
        yield Measured(shown(state), built_in(theme), able)


@on_terminals
def test_a_move_is_under_600_bytes(states: dict[str, Snapshot], shown: Make, theme: str, able: Abilities) -> None:
    for screen in in_every_state(states, shown, theme, able):
        for pane in PANES:
            screen.press(pane)
            taken = {f"{index} {name}": screen.press(name) for index, name in enumerate(MOVES)}
            limits = {name: SWITCH if name.endswith(("end", "home")) else CURSOR for name in taken}
            over = {name: count for name, count in taken.items() if count >= limits[name]}
            assert not over, (screen.shown.scene.stage_name, pane, over)


@on_terminals
def test_a_switch_is_well_under_3_kilobytes(
    states: dict[str, Snapshot], shown: Make, theme: str, able: Abilities
) -> None:
    for screen in in_every_state(states, shown, theme, able):
        for before, after in permutations(PANES, 2):
            screen.press(before)
            taken = screen.press(after)
            assert taken < SWITCH, (screen.shown.scene.stage_name, before, after)
