"""The screen beside harlequin's, another program made with Textual, where that is installed.

It is the command `harlequin`, or what JITI_HARLEQUIN names.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench.alternation import alternate
from bench.first_paint import DEMO, PROGRAM, seconds_until
from bench.rows import Row
from bench.terminal import LAST_PAINTED, Terminal

PAINTED = "History"
"""In the footer of its first full picture."""

DOWN, LEFT = b"\x1b[B", b"\x1b[D"
ROUNDS, SECONDS = 3, 3.0
SUBJECTS = {"first paint": "ms", "idle, bytes a second": "B", "cursor moved, at most": "B", "memory": "MiB"}


async def measure() -> list[Row]:
    """Ours is to be no more than theirs; where there is no harlequin the rows say so."""
    program = os.environ.get("JITI_HARLEQUIN") or shutil.which("harlequin")
    with tempfile.TemporaryDirectory(prefix="jiti-bench-") as home:
        ours = await asyncio.to_thread(_ours)
        if program is None:
            first = await asyncio.to_thread(_first_paint, home)
            return [Row(f"beside harlequin: {name}", value, "harlequin", None, "not installed", unit=unit)
                    for (name, unit), value in zip(SUBJECTS.items(), (first * 1000, *ours), strict=True)]  # fmt: skip
        theirs = await asyncio.to_thread(_theirs, program, home)

        async def paint() -> float:
            return await asyncio.to_thread(_first_paint, home)

        async def their_paint() -> float:
            return await asyncio.to_thread(lambda: seconds_until(PAINTED, program, HOME=home))

        first_paints = await alternate(paint, their_paint, rounds=ROUNDS)
    both = [first_paints, *zip(ours, theirs, strict=True)]
    return [Row(f"beside harlequin: {name}", one, "harlequin", other, "no more", one <= other, unit)
            for (name, unit), (one, other) in zip(SUBJECTS.items(), both, strict=True)]  # fmt: skip


def _first_paint(folder: str) -> float:
    store = Path(folder) / "store"
    shutil.rmtree(store, ignore_errors=True)
    return seconds_until(LAST_PAINTED, str(PROGRAM), "--store", str(store), str(DEMO))


def _ours() -> tuple[float, float, float]:
    """Bytes of idling and of moving the cursor, and the memory, of a large session."""
    with Terminal(LAST_PAINTED, sys.executable, "-m", "bench.large_session") as screen:
        screen.press(b"\x1b[15~")
        return screen.written(SECONDS) / SECONDS, max(screen.press(DOWN) for _ in range(5)), screen.resident_mib


def _theirs(program: str, home: str) -> tuple[float, float, float]:
    """The same of its editor with one line in it."""
    with Terminal(PAINTED, program, HOME=home) as screen:
        screen.press(b"select 1")
        return screen.written(SECONDS) / SECONDS, max(screen.press(LEFT) for _ in range(5)), screen.resident_mib
