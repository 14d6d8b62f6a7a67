"""How long it takes from the start of a program to its first full frame, on a real terminal."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pexpect

from bench.alternation import alternate
from bench.minimal_app import PAINTED
from bench.rows import Row
from bench.terminal import LAST_PAINTED
from jiti_tui.errors import WorkerError

CHECKOUT = Path(__file__).parents[1]
DEMO = CHECKOUT / "demo_worlds" / "sales_tax"
PROGRAM = Path(sys.executable).with_name("jiti-tui")
GOAL = 1.3


def seconds_until(text: str, *command: str, **variables: str) -> float:
    """Starts a program on a terminal of 80x24 and returns the seconds until `text` is painted; then ends it.

    Raises WorkerError when the program ends, or 30 s pass, without that.
    """
    # Byte code is written, as it is for anyone who starts a program twice.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"TERM": "xterm-256color", **variables}
    started = time.perf_counter()
    terminal = pexpect.spawn(
        command[0], list(command[1:]), cwd=str(CHECKOUT), env=environment, dimensions=(24, 80), timeout=30
    )
    try:
        terminal.expect_exact(text)
    except (pexpect.EOF, pexpect.TIMEOUT) as error:
        raise WorkerError(
            f"{command[0]} has not painted {text!r}; its last bytes: {terminal.before[-200:]!r}"
        ) from error
    seconds = time.perf_counter() - started
    terminal.kill(signal.SIGTERM)
    terminal.expect(pexpect.EOF)
    terminal.close(force=True)
    return seconds


async def measure() -> list[Row]:
    """The screen on a new store of the demo world, SBCL starting meanwhile, against a Textual app of three widgets."""

    async def screen() -> float:
        folder = tempfile.mkdtemp(prefix="jiti-bench-")
        try:
            return await asyncio.to_thread(seconds_until, LAST_PAINTED, str(PROGRAM), "--store", folder, str(DEMO))
        finally:
            shutil.rmtree(folder)

    async def minimal() -> float:
        return await asyncio.to_thread(seconds_until, PAINTED, sys.executable, "-m", "bench.minimal_app")

    ours, theirs = await alternate(screen, minimal, rounds=11)
    return [
        Row(
            "first paint, SBCL starting meanwhile",
            ours,
            "minimal Textual app",
            theirs,
            remark=f"at most {GOAL} times",
            met=ours <= GOAL * theirs,
        )
    ]
