"""Many attempts one after the other, half of them failing in every way there is: nothing of them is left over.

`JITI_ATTEMPTS=10000` in the environment makes it as many; the figures are printed with `pytest -s`.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes.attempt import Attempt, evaluate, look

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Checked, Dropped, Invalid, NotReconstructible, Paused, Stale
from jiti_tui.kernel.world import World

Wait = Callable[[Callable[[], bool]], Awaitable[None]]
IsRunning = Callable[[int], bool]
Way = Callable[[World, int], Awaitable[World]]

ATTEMPTS = int(os.environ.get("JITI_ATTEMPTS", "400"))
SHORT = 0.05
"""The time limit of what never ends, in seconds."""

WORLD_MB = 120
"""What the world's process may hold after all: SBCL, the kernel and the nursery are 40 MB of it."""


async def accepted(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun f (x) (+ x {number})) (setf (jiti:value :n) {number})")
    assert attempt.value == str(number)
    assert await check(attempt, f"(= (f 1) {number + 1})") == Checked(ok=True, detail=f"(f 1) => {number + 1}")
    return await attempt.candidate.accept(world.revision + 1, world.generation)


async def repaired_and_accepted(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(fmakunbound 'missing) (setf (jiti:value :n) (missing {number}))")
    retry = attempt.restart("retry").id
    await attempt.repair("(defun missing (n) (* 2 n))")
    await attempt.go_on(retry)
    assert attempt.value == str(2 * number)
    return await attempt.candidate.accept(world.revision + 1, attempt.generation)


async def dropped(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun g () {number}) (defvar *v* (make-array 1000)) (g)")
    assert attempt.value == str(number)
    await attempt.candidate.close()
    return world


async def broken_invariant(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun f (x) (- x {number}))")
    assert not (await check(attempt, "(>= (f 1) 1000)")).ok
    await attempt.candidate.close()
    return world


async def abandoned_repair(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(error "number {number}")')
    await attempt.repair('(error "in the repair")')
    assert attempt.pause.level == 1
    await attempt.candidate.abandon(attempt.generation)
    return world


async def repair_that_is_dropped(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(list {number} (error "no"))')
    await attempt.repair("(defun h () 1)")
    reply = await attempt.candidate.resume(attempt.generation, "0/2", (), 10)
    assert isinstance(reply, Dropped)
    await attempt.candidate.close()
    return world


async def trials(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(list {number} (cerror "Go on." "no"))')
    for _ in range(2):
        trial = await attempt.candidate.trial()
        trial.kill()
    await attempt.candidate.close()
    return world


async def endless(world: World, _: int) -> World:
    attempt = await evaluate(world, "(loop)", seconds=SHORT)
    assert attempt.pause.type == "JITI:TIME-LIMIT"
    await attempt.candidate.close()
    return world


async def out_of_stack(world: World, _: int) -> World:
    attempt = await evaluate(world, "(defun deep (n) (+ 1 (deep (1+ n)))) (deep 0)")
    assert attempt.pause.type == "SB-KERNEL::CONTROL-STACK-EXHAUSTED"
    await attempt.candidate.close()
    return world


async def out_of_heap(world: World, _: int) -> World:
    attempt = await evaluate(world, "(make-array 100000000)")
    assert attempt.pause.type == "SB-KERNEL::HEAP-EXHAUSTED-ERROR"
    await attempt.candidate.close()
    return world


async def leaving(world: World, _: int) -> World:
    attempt = await evaluate(world, "(sb-ext:exit)")
    assert attempt.pause.type == "JITI:EVALUATION-LEFT"
    await attempt.candidate.abandon(attempt.generation)
    return world


async def death(world: World, _: int) -> World:
    with pytest.raises(WorkerDied):
        await evaluate(world, "(sb-ext:exit :abort t)")
    return world


async def unreadable(world: World, _: int) -> World:
    attempt = await evaluate(world, "(defun f (x")
    assert isinstance(attempt.outcome, Invalid)
    await attempt.candidate.close()
    return world


async def refused(world: World, _: int) -> World:
    attempt = await evaluate(world, '(open #p"/etc/passwd")')
    assert isinstance(attempt.outcome, Invalid)
    await attempt.candidate.close()
    return world


async def stale(world: World, _: int) -> World:
    assert isinstance(await world.attempt(world.generation + 1, 1), Stale)
    return world


async def output(world: World, _: int) -> World:
    attempt = await evaluate(world, "(dotimes (i 30000) (print i))")
    assert attempt.value == "NIL"
    await attempt.candidate.close()
    return world


async def not_reconstructible(world: World, _: int) -> World:
    attempt = await evaluate(world, "(setf (jiti:value :f) (lambda () 1))")
    runner = await attempt.candidate.runner()
    assert isinstance(await runner.export(), NotReconstructible)
    await runner.close()
    await attempt.candidate.close()
    return world


async def program_left_behind(world: World, _: int) -> World:
    attempt = await evaluate(world, '(sb-ext:run-program "/bin/sleep" (list "1000") :wait nil)')
    assert not isinstance(attempt.outcome, Paused)
    await attempt.candidate.close()
    return world


FAILING: list[Way] = [
    *(dropped, broken_invariant, abandoned_repair, repair_that_is_dropped, trials, endless, out_of_stack, out_of_heap),
    *(leaving, death, unreadable, refused, stale, output, not_reconstructible, program_left_behind),
]


async def check(attempt: Attempt, form: str) -> Checked:
    runner = await attempt.candidate.runner()
    verdict = await runner.check("goal", "g", file="goals.lisp", line=1, text=f'(goal "g" {form})', seconds=2)
    await runner.close()
    return verdict


def descriptors(pid: int | str) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descendants(pid: int) -> set[int]:
    """All processes below one, the dead that nobody has reaped too."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
            children = {int(child) for child in (task / "children").read_text(encoding="ascii").split()}
            waiting += children - found
            found |= children
    return found


@pytest.mark.slow
async def test_nothing_is_left_of_many_attempts(keeper: Keeper, wait_until: Wait, is_running: IsRunning) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    await world.adopt(0, 0)
    for number, way in enumerate(FAILING):
        world = await way(await accepted(world, number), number)
    own = descriptors("self")
    for number in range(ATTEMPTS // 2):
        succeeds = repaired_and_accepted if number % 10 == 0 else accepted
        world = await succeeds(world, number)
        world = await FAILING[number % len(FAILING)](world, number)
    assert await look(world, "(integerp (f 1))") == "T"
    # The dead process of the latest attempt is reaped when the next one begins.
    await wait_until(lambda: len(descendants(keeper.worker.pid)) <= 2)
    await wait_until(lambda: [pid for pid in descendants(keeper.worker.pid) if is_running(pid)] == [world.worker.pid])
    await wait_until(lambda: descriptors("self") <= own)
    assert descriptors(world.worker.pid) == descriptors(keeper.worker.pid)
    size = megabytes(world.worker.pid)
    print(
        f"{ATTEMPTS} attempts: the world holds {size:.0f} MB and {descriptors(world.worker.pid)} descriptors, ", end=""
    )
    print(f"the keeper {megabytes(keeper.worker.pid):.0f} MB; {descriptors('self')} descriptors here, {own} before.")
    assert size < WORLD_MB
