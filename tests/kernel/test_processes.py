"""Keeper, world, candidate and runner as real processes: their lives, and that nothing of them is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes.processes import SECONDS, attempt, evaluated, open_world, value

from jiti_tui.errors import WorkerDied, WorkerError
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Invalid, Paused, Repaired, Resumed, Signalled, Stale, Value
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.world import World

StartKeeper = Callable[..., Awaitable[Keeper]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]
IsRunning = Callable[[int], bool]
CONTROLLER = Path(__file__).parent.parent / "fakes" / "controller.py"


async def test_an_attempt_is_accepted_or_leaves_no_trace(start_keeper: StartKeeper, either_sandbox: Sandbox) -> None:
    world = await open_world(await start_keeper(either_sandbox))
    dropped = await evaluated(world, "(defun f (x) (* 3 x))")
    assert await value(dropped, "(f 2)") == "6"
    await dropped.close()
    candidate = await evaluated(world, '(defun f (x) (* 2 x)) (princ "hello") (f 4)')
    assert await value(candidate, "(f 2)") == "4"
    accepted = await candidate.accept(1, world.generation)
    assert (accepted.revision, accepted.generation) == (1, 1)
    assert await value(accepted, "(f 5)") == "10"
    await asyncio.wait({world.worker.died}, timeout=SECONDS)
    assert not world.worker.alive
    assert accepted.worker.alive


async def test_outcomes(world: World) -> None:
    candidate = await attempt(world)
    assert await candidate.evaluate(7, "1", SECONDS) == Stale(0)
    outcome = await candidate.evaluate(0, '(princ "hello") (list 1 "two" :three)', SECONDS)
    assert outcome == Value(0, '(1 "two" :THREE)', "hello", 0, ())
    assert await world.attempt(7, 2) == Stale(0)


async def test_forms_that_do_not_read(world: World) -> None:
    candidate = await attempt(world)
    outcome = await candidate.evaluate(0, "(defun f (x)\n  (* 2 x)", SECONDS)
    assert isinstance(outcome, Invalid)
    assert outcome.line == 1
    assert isinstance(await candidate.evaluate(0, "1", SECONDS), Value)


async def test_pause_repair_resume(world: World) -> None:
    candidate = await attempt(world)
    paused = await candidate.evaluate(0, "(list (missing 4))", SECONDS)
    assert isinstance(paused, Paused)
    assert (paused.level, paused.generation, paused.type) == (0, 1, "UNDEFINED-FUNCTION")
    assert [restart.id for restart in paused.restarts] == [f"0/{n}" for n in range(len(paused.restarts))]
    deeper = await candidate.repair(1, '(error "in the repair")', SECONDS)
    assert isinstance(deeper, Paused)
    assert (deeper.level, deeper.condition) == (1, "in the repair")
    back = next(restart.id for restart in deeper.restarts if restart.name == "use-value")
    resumed = await candidate.resume(2, back, ["nil"], SECONDS)
    assert isinstance(resumed, Resumed)
    assert isinstance(await candidate.outcome(), Repaired)


async def test_resume_runs_on_to_the_outcome(world: World) -> None:
    candidate = await attempt(world)
    paused = await candidate.evaluate(0, "(list (missing 4))", SECONDS)
    assert isinstance(paused, Paused)
    repaired = await candidate.repair(1, "(defun missing (x) (* 10 x))", SECONDS)
    assert isinstance(repaired, Repaired)
    retry = next(restart.id for restart in paused.restarts if restart.name == "retry")
    assert isinstance(await candidate.resume(repaired.generation, "5/5", (), SECONDS), Invalid)
    assert isinstance(await candidate.resume(0, retry, (), SECONDS), Stale)
    resumed = await candidate.resume(repaired.generation, retry, (), SECONDS)
    assert isinstance(resumed, Resumed)
    outcome = await candidate.outcome()
    assert isinstance(outcome, Value)
    assert outcome.value == "(40)"
    with pytest.raises(WorkerError, match="Nothing was resumed"):
        await candidate.outcome()


async def test_abandon_ends_the_process(world: World) -> None:
    candidate = await attempt(world)
    assert isinstance(await candidate.evaluate(0, '(error "stop")', SECONDS), Paused)
    assert isinstance(await candidate.abandon(0), Stale)
    await candidate.abandon(1)
    assert not candidate.worker.alive
    assert await value(world, "1") == "1"


async def test_fifty_accepts_leave_one_world(keeper: Keeper, world: World, wait_until: Wait) -> None:
    before = _descriptors()
    for number in range(1, 51):
        candidate = await evaluated(world, f"(defun f () {number})")
        world = await candidate.accept(number, world.generation)
    assert (world.revision, world.generation, await value(world, "(f)")) == (50, 50, "50")
    await wait_until(lambda: _descriptors() == before)
    await keeper.sweep()
    assert _children(keeper.worker.pid) == [world.worker.pid]


async def test_sweeps_spare_the_world_that_a_dying_world_leaves_to_the_keeper(keeper: Keeper, world: World) -> None:
    async def sweep_for_ever() -> None:
        while True:
            await keeper.sweep()

    sweeping = asyncio.create_task(sweep_for_ever())
    for number in range(1, 51):
        candidate = await evaluated(world, f"(defun f () {number})")
        world = await candidate.accept(number, world.generation)
    assert await value(world, "(f)") == "50"
    sweeping.cancel()


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


async def test_an_endless_loop_becomes_a_pause(world: World) -> None:
    candidate = await attempt(world)
    paused = await candidate.evaluate(0, "(loop)", 0.05)
    assert isinstance(paused, Paused)
    assert paused.type == "JITI:TIME-LIMIT"
    assert isinstance(await candidate.resume(1, paused.restarts[0].id, (), 0.05), Resumed)
    assert isinstance(await candidate.outcome(), Paused)


async def test_the_operator_interrupts(world: World) -> None:
    candidate = await attempt(world)
    evaluation = asyncio.create_task(candidate.evaluate(0, "(loop)", SECONDS))
    await asyncio.sleep(0)
    await candidate.interrupt()
    paused = await evaluation
    assert isinstance(paused, Paused)
    assert paused.type == "JITI:TIME-LIMIT"


async def test_what_does_not_stop_is_killed(keeper: Keeper) -> None:
    world = await open_world(keeper, "SB-SYS")
    candidate = await attempt(world)
    with pytest.raises(WorkerDied, match="did not stop within 2 s"):
        await candidate.evaluate(0, "(sb-sys:without-interrupts (loop))", 0.05)
    assert await value(world, "1") == "1"


async def test_checks_and_inspections_end_in_time(world: World) -> None:
    runner = await world.runner()
    late = await runner.check("goal", "late", "goals.lisp", 1, "(lambda () (loop))", 0.05)
    assert (late.ok, late.detail) == (False, "timed out after 0.05 s")
    inspected = await runner.inspect("(loop)", 0.05)
    assert isinstance(inspected, Signalled)
    assert inspected.type == "JITI:TIME-LIMIT"
    passed = await runner.check("goal", "good", "goals.lisp", 1, '(goal "good" (boundp (quote pi)))', SECONDS)
    assert (passed.ok, passed.detail) == (True, "(boundp (quote pi)) => T")
