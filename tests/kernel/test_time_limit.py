"""The time limit of all that code of a world does: what never ends pauses where it is, and says why."""

from __future__ import annotations

import asyncio

import pytest
from fakes.attempt import SECONDS, evaluate

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.messages import Paused, Signalled
from jiti_tui.kernel.world import World

SHORT = 0.1
"""The time limit of what never ends."""

FORM_RESTARTS = ["use-value", "retry", "abandon"]
"""What the kernel itself offers around every top-level form."""


@pytest.mark.parametrize(
    "forms",
    [
        "(loop)",
        "(sleep 100)",
        "(loop (ignore-errors (loop)))",
        "(unwind-protect (loop) (loop))",
        "(loop for x = 3 then (* x x) repeat 1000)",
        "(handler-bind ((condition (lambda (c) (throw 'seen c)))) (catch 'seen (loop)))",
        "(defmacro endless () (loop)) (endless)",
        "(calling (lambda () (loop)))",
        "(loop (print 1))",
        '(loop (handler-case (error "e") (condition () nil)))',
    ],
)
async def test_what_never_ends_pauses_where_it_is(world: World, forms: str) -> None:
    attempt = await evaluate(world, f"(defun calling (f) (funcall f)) {forms}", seconds=SHORT)
    assert attempt.pause.type == "JITI:TIME-LIMIT"
    assert [attempt.names[0], *attempt.names[-3:]] == ["continue", *FORM_RESTARTS]
    assert await attempt.look("(+ 1 2)") == "3"
    await attempt.repair("(defun meanwhile () 4)")
    assert (await attempt.go_on("0/0", seconds=SHORT)).pause.type == "JITI:TIME-LIMIT"
    assert await attempt.look("(meanwhile)") == "4"


async def test_code_of_sbcl_that_is_stopped_anywhere_goes_on(world: World) -> None:
    for round_ in range(20):
        attempt = await evaluate(world, '(loop (format t "~a ~s~%" 1 :x))', seconds=SHORT + 0.0007 * round_)
        for _ in range(3):
            assert attempt.pause.type == "JITI:TIME-LIMIT"
            await attempt.go_on("0/0", seconds=0.03)
        await attempt.candidate.close()


async def test_the_time_limit_is_named(world: World) -> None:
    for seconds, text in ((1.0, "1 second"), (0.25, "0.25 seconds")):
        attempt = await evaluate(world, "(loop)", seconds)
        assert attempt.pause.condition == f"The evaluation has taken more than {text}."
    await attempt.go_on("0/0", seconds=0.5)
    assert attempt.pause.condition == "The evaluation has taken more than 0.5 seconds."
    runner = await attempt.candidate.runner()
    answer = await runner.inspect("(loop)", SHORT)
    assert isinstance(answer, Signalled)
    assert answer.condition == "The evaluation has taken more than 0.1 seconds."
    assert (await runner.check("goal", "g", "g", 1, '(goal "g" (loop))', SHORT)).detail == "timed out after 0.1 s"


async def test_what_the_operator_stops_says_so(world: World) -> None:
    candidate = await world.attempt(0, 1)
    assert isinstance(candidate, Candidate)
    evaluating = asyncio.create_task(candidate.evaluate(0, "(loop)", SECONDS))
    while not evaluating.done():
        await candidate.interrupt()
        await asyncio.sleep(0)
    outcome = evaluating.result()
    assert isinstance(outcome, Paused)
    assert outcome.condition == "The operator has stopped the evaluation."


async def test_a_check_that_passes_and_prints_slowly_is_bounded(world: World) -> None:
    forms = "(defclass slow () ()) (defmethod print-object ((x slow) s) (loop)) (defun make () (make-instance 'slow))"
    attempt = await evaluate(world, forms)
    runner = await attempt.candidate.runner()
    checked = await runner.check("goal", "g", "g", 1, '(goal "g" (and (make) (make) (make)))', SHORT)
    assert (checked.ok, checked.detail) == (True, "(make) => #<unprintable SLOW>")


async def test_continue_after_the_time_limit_goes_on(world: World) -> None:
    forms = "(defvar *go* nil) (loop until *go* count t into n finally (return (plusp n)))"
    attempt = await evaluate(world, forms, SHORT)
    await attempt.repair("(setf *go* t)")
    assert (await attempt.go_on("0/0")).value == "T"


async def test_printing_counts_as_evaluation(world: World) -> None:
    endless = "(defclass endless () ()) (defmethod print-object ((object endless) stream) (loop))"
    assert (await evaluate(world, f"{endless} (make-instance 'endless)", SHORT)).value == "#<unprintable ENDLESS>"
    attempt = await evaluate(world, f'{endless} (error "~A" (make-instance \'endless))', SHORT)
    assert attempt.pause.condition == "#<unprintable SIMPLE-ERROR>"


async def test_a_repair_and_an_inspection_have_a_time_limit(world: World) -> None:
    attempt = await evaluate(world, '(error "e")')
    await attempt.repair("(loop)", SHORT)
    assert (attempt.pause.level, attempt.pause.type) == (1, "JITI:TIME-LIMIT")
    runner = await attempt.candidate.runner()
    answer = await runner.inspect("(loop)", SHORT)
    assert isinstance(answer, Signalled)
    assert answer.type == "JITI:TIME-LIMIT"


@pytest.mark.parametrize(
    "forms",
    [
        "(loop (restart-case (invoke-restart 'go) (go () 1)))",
        '(loop (handler-case (error "e") (error () 1)))',
        "(loop (with-output-to-string (stream) (print 1 stream)))",
        "(loop (print (list 1 2.5 'a)))",
    ],
)
async def test_it_may_come_at_any_moment(world: World, forms: str) -> None:
    for number in range(40):
        attempt = await evaluate(world, forms, 0.005 + 0.0007 * number)
        assert attempt.pause.type == "JITI:TIME-LIMIT"
        assert [attempt.names[0], *attempt.names[-3:]] == ["continue", *FORM_RESTARTS]
        assert (await attempt.resume("use-value", "1")).value == "1"
        await attempt.candidate.close()


async def test_a_change_of_data_is_made_and_noted_or_not_made(world: World) -> None:
    for number in range(20):
        attempt = await evaluate(
            world,
            "(loop for n from 1 do (setf (jiti:value :n) n (jiti:value (mod n 7)) (list n) (jiti:value :gone) nil))",
            0.01 + 0.001 * number,
        )
        await attempt.resume("use-value", "1")
        live = await attempt.look("(jiti:value :n)")
        exported = await attempt.candidate.export()
        assert isinstance(exported, Export), exported
        assert f"(value :n) {live}\n" in exported.data
        world = await attempt.candidate.accept(world.revision + 1, attempt.generation)
