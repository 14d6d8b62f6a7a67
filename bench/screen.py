"""What the screen writes to a terminal, how soon it answers a key and ends, and what memory it takes."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path

from bench.first_paint import PROGRAM
from bench.minimal_app import PAINTED
from bench.rows import Row
from bench.terminal import CHECKOUT, LAST_PAINTED, Terminal

DOWN, TAB, F4, F5, QUIT = b"\x1b[B", b"\t", b"\x1bOS", b"\x1b[15~", b"\x11"
SECONDS, ROUNDS = 3.0, 30
MINIMAL = "minimal Textual app"
_LOOP = {"action": {"kind": "evaluate", "generation": None, "rationale": "", "forms": "(loop)"}}


def _large(*arguments: str) -> tuple[str, ...]:
    return LAST_PAINTED, sys.executable, "-m", "bench.large_session", *arguments


def _minimal(*arguments: str) -> tuple[str, ...]:
    return PAINTED, sys.executable, "-m", "bench.minimal_app", *arguments


async def measure() -> list[Row]:
    """All rows; the session is large, so that what they say holds after days."""
    return await asyncio.to_thread(lambda: [*_written(), *_growing(), *_ending()])


def _written() -> list[Row]:
    with Terminal(*_large()) as ours, Terminal(*_minimal()) as theirs:
        idle = ours.written(SECONDS) / SECONDS, theirs.written(SECONDS) / SECONDS
        switches = [ours.press(key) for key in (F4, F5, TAB, F5, TAB, TAB)], [theirs.press(TAB) for _ in range(4)]
        ours.press(F5)
        cursor = max(ours.press(DOWN) for _ in range(5)), max(theirs.press(DOWN) for _ in range(5))
        answer = ours.latency(DOWN, ROUNDS) * 1000, theirs.latency(DOWN, ROUNDS) * 1000
        memory = ours.resident_mib, theirs.resident_mib
        return [
            _row("idle, bytes a second", idle, 0, "0", "B"),
            _row("cursor moved, at most", (float(cursor[0]), float(cursor[1])), 600, "under 600", "B"),
            _row("pane switched, at most", (max(switches[0]), max(switches[1])), 3072, "under 3 KB", "B"),
            _row("key to paint, 10,000 proposals and 2,000 revisions", answer, 50, "under 50 ms", "ms"),
            _row("memory of the same", memory, 120, "under 120 MiB", "MiB"),
        ]


def _growing() -> list[Row]:
    with Terminal(*_large("log")) as ours, Terminal(*_minimal("log")) as theirs:
        ours.press(F5)
        rates = ours.written(SECONDS) / SECONDS / 1024, theirs.written(SECONDS) / SECONDS / 1024
        return [_row("20 lines a second", rates, 15, "under 15 KB/s", "KB/s")]


def _ending() -> list[Row]:
    """A world whose one answer never ends: the program is quit while that runs."""
    with tempfile.TemporaryDirectory(prefix="jiti-bench-") as folder:
        world = Path(shutil.copytree(CHECKOUT / "demo_worlds" / "sales_tax", Path(folder) / "world",
                                     ignore=shutil.ignore_patterns("store")))  # fmt: skip
        (world / "transcript.jsonl").write_text(json.dumps(_LOOP) + "\n", encoding="utf-8")
        command = (LAST_PAINTED, str(PROGRAM), str(world), "--proposer", "replay")
        with Terminal(*command, OPENAI_API_KEY="") as ours, Terminal(*_minimal()) as theirs:
            ours.press_until(b"p", "Trying")
            memory = ours.resident_mib, theirs.resident_mib
            ended = ours.end(QUIT) * 1000, theirs.end(QUIT) * 1000
        return [
            _row("exit, an attempt under way", ended, 200, "under 200 ms", "ms"),
            _row("memory of a small session", memory, 120, "under 120 MiB", "MiB"),
        ]


def _row(name: str, both: tuple[float, float], most: float, goal: str, unit: str) -> Row:
    ours, theirs = both
    return Row(name, ours, MINIMAL, theirs, remark=goal, met=ours <= most, unit=unit)
