"""From a proposed definition to the verdict of the checks, against the loop that people use without a live world."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bench.alternation import alternate
from bench.rows import Row
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.world import World

GOAL = 20
DEFINITIONS = 200
CHANGED = "(defun rule-7 (price rate) (+ price (* 2 price rate)))"
CHECK = "(= (rule-7 100 1/10) 120)"


async def measure() -> list[Row]:
    """One of 200 definitions proposed anew, and one goal asked; against a file that is written, loaded and checked."""
    sbcl = await find_sbcl()
    keeper = await Keeper.start(sbcl=sbcl, sandbox=await probe_sandbox(), heap_mb=1024)
    try:
        world = await keeper.fork_world()
        await world.open(Opening(packages=["RULES"]))
        failure = await world.import_("(in-package rules)\n" + definitions(), "", {})
        assert failure is None, failure
        with tempfile.TemporaryDirectory(prefix="jiti-bench-") as folder:
            file = Path(folder, "rules.lisp")
            ours, theirs = await alternate(
                lambda: checked_attempt(world), lambda: usual_loop(sbcl, file), rounds=15, warm_up=2
            )
    finally:
        await keeper.close()
    return [
        Row(
            f"attempt to checked verdict, {DEFINITIONS} definitions",
            ours,
            "write the file, start SBCL, load, check",
            theirs,
            remark=f"{GOAL} times faster",
            met=theirs >= GOAL * ours,
        )
    ]


def definitions() -> str:
    """Lisp source of as many functions, of a few lines each, as a world of this size has."""
    return "\n".join(
        f'(defun rule-{number} (price rate)\n  "The price by rule {number}."\n'
        f"  (let ((tax (* price rate)))\n    (if (plusp price)\n        (+ price tax {number})\n"
        f'        (error "No price: ~S" price))))\n'
        for number in range(DEFINITIONS)
    )


async def checked_attempt(world: World) -> float:
    """Propose the changed definition and ask the goal: the seconds until its verdict is known."""
    started = time.perf_counter()
    candidate = await world.attempt(world.generation, 1)
    assert not isinstance(candidate, Stale)
    outcome = await candidate.evaluate(world.generation, CHANGED, 10)
    assert isinstance(outcome, Value), outcome
    runner = await candidate.runner()
    verdict = await runner.check(
        "goal", "rule 7 doubles", file="goals.lisp", line=1, text=f'(goal "rule 7 doubles" {CHECK})', seconds=2
    )
    assert verdict.ok, verdict
    seconds = time.perf_counter() - started
    await runner.close()
    await candidate.close()
    return seconds


async def usual_loop(sbcl: Sbcl, file: Path) -> float:
    """Write all definitions and the check to `file` and have a new SBCL load it: the seconds until that has ended."""
    started = time.perf_counter()
    write(file, f"{definitions()}\n{CHANGED}\n(sb-ext:exit :code (if {CHECK} 0 1))\n")
    process = await asyncio.create_subprocess_exec(sbcl.command, "--script", file)
    if await process.wait() != 0:
        raise WorkerError(f"SBCL does not load {file}.")
    return time.perf_counter() - started


def write(file: Path, text: str) -> None:
    """As an editor saves a buffer, without a flush to the disk."""
    file.write_text(text)
