"""How long an attempt takes that fails its check and leaves the world as it was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bench.alternation import alternate
from bench.rows import Row
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.world import World

GOAL_MS = 10.0
HEAP_MB = 1024
FORMS = "(defun total-price (price rate) (- price (* price rate)))"
INVARIANT = '(invariant "total is never below price" (>= (total-price 100.0 0.05) 100.0))'


async def measure() -> list[Row]:
    """Checkpoint, evaluation of a definition, an invariant that fails, restore; against a bare fork."""
    sbcl = await find_sbcl()
    keeper = await Keeper.start(sbcl=sbcl, sandbox=await probe_sandbox(), heap_mb=HEAP_MB)
    try:
        world = await keeper.fork_world()
        await world.open(Opening(packages=["SALES-TAX"]))
        async with bare_forks(sbcl) as bare_fork:
            ours, theirs = await alternate(lambda: restored_attempt(world), bare_fork, rounds=101, warm_up=5)
    finally:
        await keeper.close()
    return [
        Row(
            "attempt, evaluated, checked, restored",
            ours,
            "fork and exit of the same SBCL",
            theirs,
            remark=f"under {GOAL_MS:g} ms",
            met=ours < GOAL_MS,
        )
    ]


async def restored_attempt(world: World) -> float:
    """One attempt on `world` from its proposal to the death of its candidate, in seconds."""
    started = time.perf_counter()
    candidate = await world.attempt(world.generation, 1)
    assert not isinstance(candidate, Stale)
    outcome = await candidate.evaluate(world.generation, FORMS, 10)
    assert isinstance(outcome, Value), outcome
    runner = await candidate.runner()
    verdict = await runner.check(
        "invariant", "total is never below price", file="invariants.lisp", line=1, text=INVARIANT, seconds=2
    )
    assert not verdict.ok, verdict
    await runner.close()
    await candidate.close()
    return time.perf_counter() - started


@asynccontextmanager
async def bare_forks(sbcl: Sbcl) -> AsyncIterator[Callable[[], Awaitable[float]]]:
    """An SBCL with the kernel that does nothing but fork; what is yielded has it do so and returns the seconds."""
    options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{HEAP_MB}MB", "--end-runtime-options")
    process = await asyncio.create_subprocess_exec(
        sbcl.command,
        *(*options, "--no-sysinit", "--no-userinit", "--disable-debugger"),
        *("--load", Path(__file__).with_name("fork.lisp")),
        cwd=lisp_directory(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    asked, answered = process.stdin, process.stdout
    assert asked is not None
    assert answered is not None

    async def bare_fork() -> float:
        started = time.perf_counter()
        asked.write(b"\n")
        if not await answered.readline():
            raise WorkerError("The process that forks for comparison has ended; what it said is above.")
        return time.perf_counter() - started

    try:
        yield bare_fork
    finally:
        asked.close()
        await process.wait()
