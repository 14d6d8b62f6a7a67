"""How long an attempt takes that fails its check and leaves the world as it was."""

from __future__ import annotations

import time

from bench.alternation import alternate
from bench.bare_fork import bare_forks
from bench.rows import Row
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import find_sbcl
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
        async with bare_forks(sbcl, heap_mb=HEAP_MB) as bare_fork:
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
