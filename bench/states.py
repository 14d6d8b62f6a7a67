"""What a move of the cursor and a switch of panes write in every state of the screen, on sessions made by hand."""

from __future__ import annotations

import asyncio
import sys
from itertools import permutations

from bench.minimal_app import PAINTED
from bench.rows import Row
from bench.terminal import CHECKOUT, LAST_PAINTED, Terminal

MINIMAL = "minimal Textual app"
DOWN, UP, TAB = b"\x1b[B", b"\x1b[A", b"\t"
PANES = {"F2": b"\x1bOQ", "F3": b"\x1bOR", "F4": b"\x1bOS", "F5": b"\x1b[15~"}
MOVES = (DOWN, DOWN, DOWN, UP, UP)
STATES = ("thinking", "asks", "choose", "trying", "paused", "ready", "met")
QUIET_SECONDS = 0.12
"""A key here is answered within 30 ms, all at once."""

PROGRAM = CHECKOUT / "tests" / "tui" / "hand_made.py"


async def measure() -> list[Row]:
    """The most that any state takes, against what the minimal app takes at most."""
    return await asyncio.to_thread(_rows)


def _rows() -> list[Row]:
    moves, switches = {}, {}
    for state in STATES:
        with Terminal(LAST_PAINTED, sys.executable, str(PROGRAM), state) as screen:
            for before, after in permutations(PANES, 2):
                screen.press(PANES[before], QUIET_SECONDS)
                switches[f"{state}, {before} to {after}"] = screen.press(PANES[after], QUIET_SECONDS)
            for name, pane in PANES.items():
                screen.press(pane, QUIET_SECONDS)
                moves[f"{state}, {name}"] = max(screen.press(move, QUIET_SECONDS) for move in MOVES)
    with Terminal(PAINTED, sys.executable, "-m", "bench.minimal_app") as minimal:
        move, switch = max(minimal.press(move) for move in MOVES), max(minimal.press(TAB) for _ in range(4))
    return [_most("cursor moved, any state and pane", moves, move, 600, "under 600"),
            _most("pane switched, any state and pair", switches, switch, 3072, "under 3 KB")]  # fmt: skip


def _most(name: str, taken: dict[str, int], theirs: int, most: int, goal: str) -> Row:
    worst = max(taken, key=lambda where: taken[where])
    remark = f"{goal}; most in {worst}"
    return Row(name, taken[worst], MINIMAL, theirs, remark=remark, met=taken[worst] < most, unit="B")
