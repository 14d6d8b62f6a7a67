"""Trials of a pause: forks in which restarts and repairs are tried, while the pause itself stays as it is."""

from __future__ import annotations

import asyncio

import pytest
from fakes.attempt import SECONDS, Attempt, evaluate

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.candidate import Trial
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Invalid, Paused, Repaired, Resumed, Stale, Value
from jiti_tui.kernel.world import World

FORMS = """(defvar *seen* (list 1))
           (let ((*seen* (list 2)))
             (restart-case (error "e")
               (give (x) (push x *seen*) (copy-list *seen*))
               (again () (error "again"))
               (endless () (loop))))"""


async def tried(
    attempt: Attempt, restart: str, *arguments: str, repair: str = ""
) -> tuple[Trial, Value | Paused | Repaired]:
    trial = await attempt.candidate.trial()
    generation = 1
    if repair:
        repaired = await trial.repair(generation, repair, SECONDS)
        assert isinstance(repaired, Repaired), repaired
        generation = repaired.generation
    reply = await trial.resume(generation, attempt.restart(restart).id, arguments, 0.1)
    assert isinstance(reply, Resumed), reply
    return trial, await trial.outcome()


async def test_trials_run_side_by_side_and_leave_the_pause_as_it_is(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    outcomes = await asyncio.gather(
        tried(attempt, "give", "7"),
        tried(attempt, "give", "8", repair="(push 9 *seen*)"),
        tried(attempt, "again"),
        tried(attempt, "endless"),
        tried(attempt, "retry", repair='(define-compiler-macro late (x) x) (warn "late")'),
    )
    give, repaired, again, endless, retry = (outcome for _, outcome in outcomes)
    assert isinstance(give, Value)
    assert isinstance(repaired, Value)
    assert (give.value, repaired.value) == ("(7 2)", "(8 9 2)")
    assert isinstance(again, Paused)
    assert (again.level, again.condition) == (0, "again")
    assert isinstance(endless, Paused)
    assert endless.condition == "The evaluation has taken more than 0.1 seconds."
    assert isinstance(retry, Paused)
    assert retry.condition == "e"
    for trial, _ in outcomes:
        await trial.close()
    assert await attempt.look("(list *seen* (boundp '*late*))") == "((2) NIL)"
    assert (await attempt.resume("give", "3")).value == "(3 2)"
    accepted = await attempt.candidate.accept(1, 2)
    assert (accepted.generation, (await evaluate(accepted, "*seen*")).value) == (3, "(1)")


async def test_a_trial_can_be_looked_into_and_checked(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    trial, outcome = await tried(attempt, "give", "7", repair="(setf (jiti:value :a) 1)")
    assert isinstance(outcome, Value)
    runner = await trial.runner()
    checked = await runner.check("goal", "g", "g", 1, '(goal "g" (= 1 (jiti:value :a)))', SECONDS)
    assert checked.ok
    assert await attempt.look("(jiti:value :a)") == "NIL"


async def test_what_a_trial_cannot_do_is_told(world: World) -> None:
    attempt = await evaluate(world, FORMS)
    trial = await attempt.candidate.trial()
    assert isinstance(await trial.repair(1, "(car", SECONDS), Invalid)
    assert isinstance(await trial.resume(1, "9/9", (), SECONDS), Invalid)
    assert await trial.resume(0, "0/0", ("1",), SECONDS) == Stale(1)
    deeper = await trial.repair(1, '(error "in the repair")', SECONDS)
    assert isinstance(deeper, Paused)
    assert deeper.level == 1
    assert isinstance(await attempt.candidate.repair(1, "1", SECONDS), Repaired)


async def test_a_trial_that_dies_dies_alone(keeper: Keeper) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    attempt = await evaluate(world, '(restart-case (error "e") (leave () (sb-ext:exit :abort t)) (stay () 1))')
    with pytest.raises(WorkerDied):
        await tried(attempt, "leave")
    assert (await attempt.resume("stay")).value == "1"


async def test_a_trial_where_the_stack_is_exhausted(world: World) -> None:
    attempt = await evaluate(world, "(defun deep (x) (1+ (deep x))) (list (deep 1))")
    _, outcome = await tried(attempt, "retry", repair="(defun deep (x) x)")
    assert isinstance(outcome, Value)
    assert outcome.value == "(1)"
    assert (await attempt.resume("retry")).pause.type == "SB-KERNEL::CONTROL-STACK-EXHAUSTED"
