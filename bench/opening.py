"""From the command to an accepted world that is there again, against loading the same source without any of it."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from bench.alternation import alternate
from bench.first_paint import PROGRAM
from bench.rows import Row
from jiti_tui.engine.compiled import LEAST_CHARACTERS
from jiti_tui.engine.driver import Driver
from jiti_tui.engine.interface.commands import Evaluate
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.cache import cache_directory
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.world.folder import read_world

SIZES = (10, 100, 1000)
LEAST_FASTER = 100
"""From so many definitions on, opening a world is to take less time than loading its source."""
BUILD_SECONDS = 120
LEAST = "import asyncio; from pydantic import BaseModel"
"""What no start of jiti-tui can be faster than: the interpreter and the two libraries that any session needs."""
TOML = """packages = ["PRICES"]
[[requests]]
text = "Price things by many rules."
goals = ["the last rule is there"]
[limits]
forms_bytes = 1000000
"""


async def measure() -> list[Row]:
    """`jiti-tui run` until it tells that the session is there, compiled definitions in the cache, for each size."""
    sbcl = await find_sbcl()
    rows = []
    for size in SIZES:
        folder = Path(tempfile.mkdtemp(prefix="jiti-bench-"))
        try:
            source = await asyncio.to_thread(prepare, folder, size)

            async def ours(folder: Path = folder) -> float:
                return await opened(folder)

            async def theirs(source: Path = source) -> float:
                return await loaded(sbcl, source)

            row = await alternate(ours, theirs, rounds=9)
            floor = await alternate(least, theirs, rounds=9) if size == LEAST_FASTER else None
        finally:
            shutil.rmtree(folder)
        goal = size >= LEAST_FASTER
        rows.append(
            Row(
                f"run to recovered world, {size} definitions",
                row[0],
                "sbcl --load of the same source",
                row[1],
                "faster" if goal else "no goal",
                row[0] <= row[1] if goal else None,
            )
        )
        if floor is not None:
            rows.append(
                Row(
                    "Python with asyncio and pydantic, and nothing else",
                    floor[0],
                    f"sbcl --load of {size} definitions",
                    floor[1],
                    "no goal: the least that a start takes",
                )
            )
    return rows


def prepare(folder: Path, size: int) -> Path:
    """Make a world with so many definitions accepted, and compiled if it is large enough. Returns their source."""
    (folder / "world.toml").write_text(TOML)
    (folder / "goals.lisp").write_text(
        f'(goal "the last rule is there" (= (rule-{size - 1} 100 1/10) {110 + size - 1}))\n'
    )
    (folder / "invariants.lisp").write_text("")
    forms = "\n".join(
        f'(defun rule-{number} (price rate)\n  "The price by rule {number} of {folder.name}."\n'
        f"  (let ((tax (* price rate)))\n    (if (plusp price)\n        (+ price tax {number})\n"
        f'        (error "No price: ~S" price))))\n'
        for number in range(size)
    )
    before = cores()
    driver = Driver(read_world(folder), Options(mode=Mode.REVIEW, environ={}))
    try:
        driver.attempt(Evaluate(driver.idle().painted, forms))
        driver.accept()
    finally:
        driver.close()
    end = time.monotonic() + BUILD_SECONDS
    while len(forms) > LEAST_CHARACTERS and cores() <= before:
        if time.monotonic() > end:
            raise WorkerError(f"{size} definitions were not compiled within {BUILD_SECONDS} s.")
        time.sleep(0.05)
    source = folder / "source.lisp"
    source.write_text(f'(defpackage "PRICES" (:use "COMMON-LISP"))\n(in-package "PRICES")\n{forms}')
    return source


def cores() -> set[Path]:
    """The cores of definitions that are in the cache."""
    return set(cache_directory().glob("definitions-*.core"))


async def opened(world: Path) -> float:
    """The seconds until `jiti-tui run` tells of its session. All goals are met, so it ends by itself then."""
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(PROGRAM, "run", world, "--proposer", "replay", "--json"), stdout=asyncio.subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None
    async for line in process.stdout:
        if b'"session"' in line:
            seconds = time.perf_counter() - started
            await process.communicate()
            return seconds
    raise WorkerError(f"jiti-tui run has not opened {world}.")


async def loaded(sbcl: Sbcl, source: Path) -> float:
    """The seconds that a new SBCL takes to load `source` and end."""
    return await ended(
        sbcl.command, "--noinform", "--no-sysinit", "--no-userinit", "--non-interactive", "--load", source
    )


async def least() -> float:
    """The seconds of `LEAST`."""
    return await ended(sys.executable, "-c", LEAST)


async def ended(*command: str | Path) -> float:
    """The seconds until `command` has ended."""
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL, env=environment())
    if await process.wait() != 0:
        raise WorkerError(f"{command[0]} fails with {command[-1]}.")
    return time.perf_counter() - started


def environment() -> dict[str, str]:
    """That of a user, whose Python keeps what it has compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
