"""A repair has a savepoint: dropping it goes back to the pause exactly as it was before that repair."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import pytest
from fakes.attempt import SECONDS, Attempt, evaluate

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Abandoned, Dropped, Invalid, Repaired, Stale
from jiti_tui.kernel.world import World

FORMS = '(defvar *seen* (list 1)) (let ((*seen* (list 2))) (restart-case (error "e") (give (x) x)))'
Wait = Callable[[Callable[[], bool]], Awaitable[None]]
MENU = ["give", "use-value", "retry", "abandon"]
MENU_REPAIRED = ["give", "use-value", "retry", "drop-repair", "abandon"]


async def drop(attempt: Attempt, restart: str) -> None:
    """Take `drop-repair`, whose id is `restart`; the generation moves by one."""
    generation = attempt.generation
    assert await attempt.candidate.resume(generation, restart, (), SECONDS) == Dropped(generation + 1)


async def test_a_dropped_repair_leaves_the_pause_as_it_was(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    pause = attempt.pause
    assert attempt.names == MENU
    await attempt.repair("(defun helper () 1) (push 3 *seen*) (defclass c () ()) (setf (jiti:value :a) 1) 'fresh")
    assert isinstance(attempt.outcome, Repaired)
    assert [restart.name for restart in attempt.outcome.restarts] == MENU_REPAIRED
    assert [restart.id for restart in attempt.outcome.restarts] == ["0/0", "0/1", "0/2", "0/3", "0/4"]
    assert attempt.outcome.restarts[:3] == pause.restarts[:3]
    look = "(list (fboundp 'helper) *seen* (find-class 'c nil) (jiti:value :a))"
    assert await attempt.look(look) != "(NIL (2) NIL NIL)"
    await drop(attempt, "0/3")
    assert await attempt.look(look) == "(NIL (2) NIL NIL)"
    again = await attempt.candidate.repair(3, "(list *seen*)", SECONDS)
    assert isinstance(again, Repaired)
    assert (again.generation, again.value) == (4, "((2))")


async def test_the_failing_repair_can_be_dropped_where_it_failed(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    await attempt.repair('(defun half () 1) (error "in the repair")')
    assert (attempt.pause.level, attempt.names) == (1, ["use-value", "retry", "drop-repair", "abandon"])
    await drop(attempt, attempt.restart("drop-repair").id)
    assert await attempt.look("(fboundp 'half)") == "NIL"
    assert isinstance(await attempt.candidate.resume(3, "1/0", ["1"], SECONDS), Invalid)
    attempt.outcome = Stale(3)
    assert (await attempt.go_on("0/0", "7")).value == "7"


async def test_repairs_stack_and_the_latest_is_dropped_first(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    for number in (1, 2, 3):
        await attempt.repair(f"(push {number * 10} *seen*)")
    for seen in ("(20 10 2)", "(10 2)", "(2)"):
        await drop(attempt, "0/3")
        assert await attempt.look("*seen*") == seen
        attempt.outcome = Stale(attempt.generation + 1)
    assert (await attempt.go_on("0/0", "1")).value == "1"


async def test_a_repair_stays_to_be_dropped_at_later_pauses(world: World) -> None:
    attempt = await evaluate(world, '(list (restart-case (error "first") (on () 1)) (error "second"))')
    await attempt.repair("(defun kept () 1)")
    await attempt.go_on("0/0")
    assert (attempt.pause.condition, attempt.names[-2:]) == ("second", ["drop-repair", "abandon"])
    await drop(attempt, attempt.restart("drop-repair").id)
    attempt.outcome = Stale(attempt.generation + 1)
    assert await attempt.look("(fboundp 'kept)") == "NIL"
    assert (await attempt.go_on("0/0")).pause.condition == "second"
    assert attempt.names == ["use-value", "retry", "abandon"]


async def test_a_repair_that_is_refused_costs_no_process_and_no_generation(
    world: World, keeper: Keeper, wait_until: Wait
) -> None:
    attempt = await evaluate(world, FORMS)
    pid = attempt.candidate.worker.pid
    for forms in ("(car", "(sb-ext:exit)", "(defpackage :made (:use :cl)) (in-package :made) (car"):
        assert isinstance(await attempt.candidate.repair(1, forms, SECONDS), Invalid)
        assert attempt.candidate.worker.pid == pid
    assert await attempt.candidate.repair(0, "1", SECONDS) == Stale(1)
    assert await attempt.look("(find-package :made)") == "NIL"
    workers = keeper._registry.workers
    await wait_until(lambda: [worker.pid for worker in workers if worker.role == "candidate"] == [pid])


async def test_a_repair_that_ends_its_process_leaves_the_pause(world: World, wait_until: Wait) -> None:
    attempt = await evaluate(world, FORMS)
    await attempt.repair("(push 5 *seen*)")
    paused = attempt.candidate.worker
    repairing = asyncio.create_task(attempt.candidate.repair(2, "(push 6 *seen*) (loop)", SECONDS))
    await wait_until(lambda: attempt.candidate.worker is not paused)
    os.kill(attempt.candidate.worker.pid, signal.SIGKILL)
    reply = await repairing
    assert isinstance(reply, Invalid)
    assert "The repair has ended its process; the pause is as it was before." in reply.reason
    assert await attempt.look("*seen*") == "(5 2)"
    assert (await attempt.go_on("0/0", "8")).value == "8"


async def test_no_process_is_left_when_the_attempt_ends(
    world: World, is_running: Callable[[int], bool], wait_until: Wait
) -> None:
    async def repaired() -> tuple[Attempt, list[int]]:
        attempt = await evaluate(world, FORMS)
        pids = [attempt.candidate.worker.pid]
        for _ in range(2):
            await attempt.repair("(defun kept () 1)")
            pids.append(attempt.candidate.worker.pid)
        assert len(set(pids)) == 3
        return attempt, pids

    attempt, abandoned = await repaired()
    assert isinstance(await attempt.candidate.abandon(3), Abandoned)
    attempt, killed = await repaired()
    await attempt.candidate.close()
    attempt, accepted = await repaired()
    await attempt.go_on("0/0", "1")
    live = await attempt.candidate.accept(1, attempt.generation)
    await wait_until(lambda: [pid for pid in (*abandoned, *killed, *accepted) if is_running(pid)] == [live.worker.pid])
    assert (await evaluate(live, "(kept)")).value == "1"
    assert (await evaluate(live, '(error "anew")')).names == ["use-value", "retry", "abandon"]


async def test_a_savepoint_of_an_exhausted_stack(world: World) -> None:
    attempt = await evaluate(world, "(defun deep (x) (1+ (deep x))) (deep 1)")
    await attempt.repair("(defun deep (x) x)")
    await drop(attempt, "0/2")
    attempt.outcome = Stale(attempt.generation + 1)
    assert (await attempt.go_on("0/1")).pause.type == "SB-KERNEL::CONTROL-STACK-EXHAUSTED"


async def test_a_dead_savepoint_is_a_death(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    savepoint = attempt.candidate.worker
    await attempt.repair("(defun kept () 1)")
    savepoint.kill()
    await savepoint.wait_dead()
    with pytest.raises(WorkerDied):
        await attempt.candidate.resume(2, "0/3", (), SECONDS)
