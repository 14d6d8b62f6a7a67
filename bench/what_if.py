"""How long it takes to find out what would come of eight restarts of a pause, each tried in a fork of its own."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial

from bench.alternation import alternate
from bench.rows import Row
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Paused, Resumed, Stale, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import find_sbcl

TRIALS = 8
GOAL_MS = 10.0
GOAL_RATIO = 5.0
WORK_MS = 55.0
HEAP_MB = 1024
FORMS = """(defun work (count)
             (declare (type fixnum count) (optimize speed))
             (let ((n 0))
               (declare (type fixnum n))
               (dotimes (i count n)
                 (setf n (logand (+ (* n 31) i) 65535)))))
           (restart-case (error "What now?")
             (trivial () 1)
             (longer (count) (work count)))"""


async def measure() -> list[Row]:
    """Eight trivial trials, and eight that work 50 ms, each against one."""
    keeper = await Keeper.start(HEAP_MB, sbcl=await find_sbcl(), sandbox=await probe_sandbox())
    try:
        world = await keeper.fork_world()
        await world.open(Opening(packages=["WORLD"]))
        candidate = await world.attempt(0, 1)
        assert not isinstance(candidate, Stale)
        pause = await candidate.evaluate(0, FORMS, 10)
        assert isinstance(pause, Paused), pause
        trivial, longer = (restart.id for restart in pause.restarts[:2])
        eight, one = await alternate(
            partial(side_by_side, candidate, TRIALS, trivial),
            partial(side_by_side, candidate, 1, trivial),
            rounds=51,
            warm_up=5,
        )
        count = await enough_work(candidate, longer)
        eight_longer, one_longer = await alternate(
            partial(side_by_side, candidate, TRIALS, longer, count),
            partial(side_by_side, candidate, 1, longer, count),
            rounds=11,
            warm_up=1,
        )
    finally:
        await keeper.close()
    processors = os.cpu_count() or 1
    return [
        Row("8 trivial trials", eight, "one", one, remark=f"under {GOAL_MS:g} ms in all", met=eight < GOAL_MS),
        Row(
            "8 what-if trials of 50 ms",
            eight_longer,
            "one",
            one_longer,
            remark=f"under {GOAL_RATIO:g} times on 2 processors; here {processors}",
            met=eight_longer < GOAL_RATIO * one_longer if processors == 2 else None,
        ),
    ]


async def side_by_side(candidate: Candidate, count: int, restart: str, *arguments: str) -> float:
    """`count` trials of one restart at the same time; the seconds until the outcome of each is known."""
    started = time.perf_counter()
    await asyncio.gather(*(tried(candidate, restart, arguments) for _ in range(count)))
    return time.perf_counter() - started


async def tried(candidate: Candidate, restart: str, arguments: tuple[str, ...]) -> None:
    """One trial, from the fork to its outcome."""
    trial = await candidate.trial()
    reply = await trial.resume(1, restart, arguments, 10)
    assert isinstance(reply, Resumed), reply
    outcome = await trial.outcome()
    assert isinstance(outcome, Value), outcome
    trial.kill()


async def enough_work(candidate: Candidate, restart: str) -> str:
    """The argument with which one trial takes a little more than 50 ms."""
    count = 10_000_000
    seconds = min([await side_by_side(candidate, 1, restart, str(count)) for _ in range(3)])
    return str(int(count * WORK_MS / 1000 / seconds))
