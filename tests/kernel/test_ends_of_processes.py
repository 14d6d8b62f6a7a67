"""How worker processes end, what is told of it, and that nothing is left of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes.processes import SECONDS, attempt, evaluated, open_world, programs, value

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.sandbox import Sandbox

StartKeeper = Callable[..., Awaitable[Keeper]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]
IsRunning = Callable[[int], bool]

CONTROLLER = Path(__file__).parent.parent / "fakes" / "controller.py"


async def test_a_check_that_kills_its_process_fails(keeper: Keeper) -> None:
    runner = await (await open_world(keeper, "SB-EXT", "SB-SYS")).runner()
    check = await runner.check("goal", "x", "goals.lisp", 1, "(lambda () (sb-ext:exit :abort t))", SECONDS)
    assert not check.ok
    assert "died" in check.detail


async def test_the_last_words_of_a_process_that_dies_are_told(keeper: Keeper) -> None:
    candidate = await attempt(await open_world(keeper, "SB-UNIX", "SB-EXT"))
    with pytest.raises(WorkerDied, match=r"The candidate process \(pid \d+\) died\. SBCL said last: farewell"):
        await candidate.evaluate(
            0, '(sb-unix:unix-write 2 (coerce "farewell" (quote base-string)) 0 8) (sb-ext:exit :abort t)', SECONDS
        )


async def test_what_the_runtime_gives_up_for_is_told_without_its_frames(keeper: Keeper) -> None:
    forms = "(labels ((f () (handler-bind ((storage-condition (lambda (c) c (f)))) (f)))) (f))"
    candidate = await attempt(await open_world(keeper))
    with pytest.raises(WorkerDied, match=r"SBCL said last: fatal error encountered in SBCL .*stack exhausted") as died:
        await candidate.evaluate(0, forms, SECONDS)
    assert "fp=0x" not in str(died.value)


@pytest.mark.parametrize(
    "forms",
    [
        "(handler-case (make-list 100000000) (storage-condition () :handled))",
        "(sb-sys:without-interrupts (let ((list '())) (loop (push 1 list))))",
    ],
)
async def test_a_heap_that_is_full_at_one_go_ends_the_attempt_and_is_named(keeper: Keeper, forms: str) -> None:
    world = await open_world(keeper, "SB-SYS")
    candidate = await attempt(world)
    with pytest.raises(WorkerDied) as died:
        await candidate.evaluate(0, forms, SECONDS)
    assert str(died.value) == (
        f"The candidate process (pid {candidate.worker.pid}) died: the heap was exhausted. "
        "`heap_mb` in [limits] of world.toml is its size."
    )
    assert await value(world, "1") == "1"


@pytest.mark.parametrize("victim", ["candidate", "world", "keeper"])
async def test_a_kill_from_outside_is_noticed(
    start_keeper: StartKeeper, either_sandbox: Sandbox, victim: str, is_running: IsRunning, wait_until: Wait
) -> None:
    keeper = await start_keeper(either_sandbox)
    world = await open_world(keeper)
    candidate = await attempt(world)
    pids = {"keeper": keeper.worker.pid, "world": world.worker.pid, "candidate": candidate.worker.pid}
    evaluation = asyncio.create_task(candidate.evaluate(0, "(loop)", SECONDS))
    await asyncio.sleep(0)
    os.kill(pids[victim], signal.SIGKILL)
    if victim == "world":
        await asyncio.wait({world.worker.died}, timeout=SECONDS)
        with pytest.raises(WorkerDied):
            await world.attempt(0, 2)
        assert candidate.worker.alive
        candidate.kill()
    with pytest.raises(WorkerDied):
        await evaluation
    if victim == "candidate":
        assert await value(world, "1") == "1"
    if victim == "keeper":
        await wait_until(lambda: not any(map(is_running, pids.values())))
        assert not keeper.worker.alive


async def test_what_a_candidate_leaves_running_ends_with_it(
    start_keeper: StartKeeper, either_sandbox: Sandbox, wait_until: Wait
) -> None:
    world = await open_world(await start_keeper(either_sandbox), "SB-EXT")
    marker = f"98{os.getpid()}"
    candidate = await evaluated(world, f'(sb-ext:run-program "/bin/sleep" (list "{marker}") :wait nil) 1')
    assert len(programs(marker)) == 1
    await candidate.close()
    await wait_until(lambda: not programs(marker))
    assert await value(world, "1") == "1"


async def test_close_leaves_no_process(
    start_keeper: StartKeeper, either_sandbox: Sandbox, wait_until: Wait, is_running: IsRunning
) -> None:
    keeper = await start_keeper(either_sandbox)
    world = await open_world(keeper, "SB-EXT")
    marker = f"97{os.getpid()}"
    candidate = await evaluated(world, f'(sb-ext:run-program "/bin/sleep" (list "{marker}") :wait nil) 1')
    await keeper.close()
    assert not keeper.worker.alive
    assert not world.worker.alive
    assert not candidate.worker.alive
    await wait_until(lambda: not programs(marker))
    with pytest.raises(WorkerDied):
        await keeper.fork_world()
    await keeper.close()


@pytest.mark.parametrize("sandboxed", ["sandboxed", "unsandboxed"])
async def test_nothing_survives_a_killed_controller(sandboxed: str, wait_until: Wait, is_running: IsRunning) -> None:
    controller = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CONTROLLER), sandboxed),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent.parent)},
    )
    assert controller.stdout is not None
    pids = [int(pid) for pid in (await controller.stdout.readline()).split()]
    assert len(pids) == 3
    await wait_until(lambda: bool(programs("987654")))
    controller.kill()
    await controller.wait()
    await wait_until(lambda: not any(map(is_running, pids)) and not programs("987654"))
