"""What an attempt adds to the fork that it is made of, in worlds of several sizes."""

from __future__ import annotations

import time

from bench.alternation import alternate
from bench.bare_fork import bare_forks
from bench.rows import Row
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.world import World

GOAL = 1.5
SIZES_MB = (50, 500, 2000)
CORE_MB = 40
"""What SBCL and the kernel fill by themselves."""

OCTETS_PER_CONS = 16
FORMS = "42"
"""A constant is not compiled."""


async def measure() -> list[Row]:
    """Checkpoint, evaluation of a constant, restore; against a bare fork, in heaps of 50 MB, 500 MB and 2 GB."""
    sbcl = await find_sbcl()
    return [await _row(sbcl, megabytes) for megabytes in SIZES_MB]


async def _row(sbcl: Sbcl, megabytes: int) -> Row:
    base, heap_mb = ballast(megabytes - CORE_MB), 1024 + 2 * megabytes
    keeper = await Keeper.start(sbcl=sbcl, sandbox=await probe_sandbox(), heap_mb=heap_mb)
    try:
        world = await keeper.fork_world()
        await world.open(Opening(packages=["WORLD"]))
        failure = await world.load_base("ballast.lisp", base)
        assert failure is None, failure
        async with bare_forks(sbcl, heap_mb=heap_mb, base=base) as bare_fork:
            ours, theirs = await alternate(lambda: attempt(world), bare_fork, rounds=51, warm_up=5)
    finally:
        await keeper.close()
    return Row(
        f"attempt and restore, nothing compiled, {megabytes} MB of heap",
        ours,
        "fork and exit of the same SBCL",
        theirs,
        remark=f"under {GOAL} times",
        met=ours < GOAL * theirs,
    )


def ballast(megabytes: int) -> str:
    """Lisp source that fills so much of the heap with a list."""
    conses = megabytes * 1024 * 1024 // OCTETS_PER_CONS
    return f"(defvar cl-user::*ballast* (make-list {conses} :initial-element 1)) (sb-ext:gc :full t)"


async def attempt(world: World) -> float:
    """One attempt that evaluates a constant and is dropped: the seconds until `world` has answered again."""
    started = time.perf_counter()
    candidate = await world.attempt(world.generation, 1)
    assert not isinstance(candidate, Stale)
    outcome = await candidate.evaluate(world.generation, FORMS, 10)
    assert isinstance(outcome, Value), outcome
    candidate.kill()
    await world.adopt(world.revision, world.generation)
    seconds = time.perf_counter() - started
    await candidate.close()
    return seconds
