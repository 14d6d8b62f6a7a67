"""What bounds an attempt: stack, heap, output, its own process; and what it shows while it is paused."""

from __future__ import annotations

import asyncio

import pytest
from fakes.attempt import SECONDS, evaluate, look

from jiti_tui.errors import WorkerDied, WorkerError
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Invalid, Signalled, Value
from jiti_tui.kernel.world import World

SHORT = 0.1
"""The time limit of what never ends."""

FORM_RESTARTS = ["use-value", "retry", "abandon"]
"""What the kernel itself offers around every top-level form."""


@pytest.fixture
async def open_world(keeper: Keeper) -> World:
    """A world in which forms may use SBCL's own packages, as no policy would allow."""
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT", "SB-SYS", "SB-THREAD"]))
    await world.adopt(0, 0)
    return world


# Leaving


async def test_leaving_the_process_pauses(open_world: World) -> None:
    for forms in ("(sb-ext:exit)", "(sb-ext:quit)", "(unwind-protect (sb-ext:exit) (print 1))"):
        attempt = await evaluate(open_world, forms)
        assert attempt.pause.type == "JITI:EVALUATION-LEFT"
        assert attempt.names == FORM_RESTARTS
        assert (await attempt.resume("use-value", "7")).value == "7"


async def test_a_process_that_is_ended_is_a_death_and_the_world_goes_on(open_world: World) -> None:
    with pytest.raises(WorkerDied):
        await evaluate(open_world, "(sb-ext:exit :abort t)")
    assert (await evaluate(open_world, "(+ 1 1)")).value == "2"


async def test_the_policy_holds_for_what_a_restart_is_given(world: World) -> None:
    attempt = await evaluate(world, "(list (undefined-one))")
    restart = attempt.restart("use-value").id
    refused = await attempt.candidate.resume(attempt.generation, restart, ["sb-ext:exit"], SECONDS)
    assert isinstance(refused, Invalid)
    assert "SB-EXT:EXIT is refused" in refused.reason
    assert (await attempt.resume(restart, "list")).value == "(NIL)"


# Printing


async def test_what_does_not_print_is_named(world: World) -> None:
    attempt = await evaluate(
        world,
        """(define-condition mute (error) () (:report (lambda (c s) (declare (ignore c s)) (error "mute"))))
           (defclass mute-object () ())
           (defmethod print-object ((object mute-object) stream) (error "mute ~A" stream))
           (defun call (x) (restart-case (error 'mute) (say () :report (lambda (s) (error "mute ~A" s)) x)))
           (list (handler-case (call (make-instance 'mute-object)) (arithmetic-error () 1)))""",
    )
    assert (attempt.pause.type, attempt.pause.condition) == ("MUTE", "#<unprintable MUTE>")
    assert attempt.names == ["say", *FORM_RESTARTS]
    assert "#<unprintable MUTE-OBJECT>" in attempt.pause.frames[0].call
    assert (await attempt.resume("say")).value == "#<unprintable CONS>"


async def test_a_handler_around_the_pause_does_not_see_what_printing_signals(world: World) -> None:
    attempt = await evaluate(
        world,
        """(define-condition mute (error) () (:report (lambda (c s) (declare (ignore c s)) (error "mute"))))
           (handler-case (restart-case (invoke-debugger (make-condition 'mute)) (go-on () 1)) (error () 2))""",
    )
    assert attempt.pause.condition == "#<unprintable MUTE>"
    assert (await attempt.resume("go-on")).value == "1"


async def test_circular_and_long_values(world: World) -> None:
    assert (await evaluate(world, "(let ((x (list 1 2))) (setf (cddr x) x))")).value == "#1=(1 2 . #1#)"
    assert (await evaluate(world, "(let ((x (list 1))) (setf (car x) x))")).value == "#1=(#1#)"
    value = (await evaluate(world, "(make-list 1000000)")).value
    assert len(value) == 65536
    assert value.endswith("…")
    attempt = await evaluate(world, '(let ((x (list 1))) (setf (cdr x) x) (error "round ~A" x))')
    assert attempt.pause.condition == "round #1=(1 . #1#)"
    deep = "(let ((x nil)) (loop repeat 1000000 do (setf x (list x))) "
    value = (await evaluate(world, f"{deep} x)")).value
    assert (value[:100], value[-1]) == ("(" * 100, "…")
    assert (await evaluate(world, f'{deep} (error "deep ~A" x))')).pause.condition.startswith("deep ((((")
    attempt = await evaluate(world, "(error (make-string 1000000 :initial-element #\\x))")
    assert len(attempt.pause.condition) <= 1000


# Space


async def test_an_exhausted_stack_is_a_pause_again_and_again(world: World) -> None:
    attempt = await evaluate(world, "(defun deep (x) (1+ (deep x))) (defvar *kept* 1) (deep 1)")
    for _ in range(3):
        assert attempt.pause.type == "SB-KERNEL::CONTROL-STACK-EXHAUSTED"
        assert attempt.names == FORM_RESTARTS
        assert attempt.pause.frames[0].call.startswith("(DEEP")
        await attempt.resume("retry")
    assert await attempt.look('(list *kept* (format nil "~{~A~}" (list 1 2 3)))') == '(1 "123")'
    for forms, reason in (("(car 1)", "TYPE-ERROR"), ("(loop)", "timed out")):
        refused = await attempt.candidate.repair(attempt.generation, forms, SHORT)
        assert isinstance(refused, Invalid)
        assert reason in refused.reason
    await attempt.repair(
        """(defclass thing () ((a :initarg :a :accessor thing-a)))
           (defmethod print-object ((thing thing) stream) (format stream "~{~A~^ ~}" (list (thing-a thing) 1)))
           (defun deep (x) (loop for i below x collect (princ-to-string (make-instance 'thing :a i))))"""
    )
    assert (await attempt.go_on("0/1")).value == '("0 1")'


@pytest.mark.parametrize(
    "grow",
    [
        "(loop for l = nil then (cons 1 l))",
        "(let ((l '())) (loop (push (lambda () l) l)))",
        "(let ((l '())) (loop (ignore-errors (push (make-array 1000) l))))",
        "(let ((table (make-hash-table))) (loop for i from 0 do (setf (gethash i table) (list i))))",
    ],
)
async def test_a_heap_that_fills_up_is_a_pause(world: World, grow: str) -> None:
    attempt = await evaluate(world, grow)
    assert attempt.pause.type == "JITI:HEAP-LOW"
    assert attempt.names == ["continue", *FORM_RESTARTS]
    await attempt.repair("(defun small () (list 1 2))")
    assert await attempt.look("(small)") == "(1 2)"
    assert (await attempt.go_on("0/1", "3")).outcome == Value(3, "3", "", 0, ())
    assert (await evaluate(world, "(+ 1 1)")).value == "2"


async def test_collecting_all_garbage_is_allowed_and_harmless(open_world: World) -> None:
    attempt = await evaluate(open_world, "(defvar *kept* (list 1)) (sb-ext:gc :full t) *kept*")
    assert (attempt.value, await attempt.look("*kept*")) == ("(1)", "(1)")


async def test_the_heap_is_watched_wherever_code_of_the_world_runs(world: World) -> None:
    grow = "(loop for l = nil then (cons 1 l))"
    attempt = await evaluate(world, f'(restart-case (error "e") (grow () {grow}))')
    runner = await attempt.candidate.runner()
    answer = await runner.inspect(grow, SECONDS)
    assert isinstance(answer, Signalled)
    assert answer.type == "JITI:HEAP-LOW"
    verdict = await runner.check("goal", "g", "goals.lisp", 1, f"(lambda () {grow})", SECONDS)
    assert not verdict.ok
    assert verdict.detail.startswith("JITI:HEAP-LOW")
    await attempt.resume("grow")
    assert attempt.pause.type == "JITI:HEAP-LOW"


async def test_a_repair_where_the_stack_is_exhausted_sees_the_bindings_of_the_attempt(world: World) -> None:
    attempt = await evaluate(
        world,
        """(defvar *x* 1) (defvar *y* 1)
           (defun deep (x) (1+ (deep x)))
           (defun up () (let ((*x* 2)) (handler-bind ((error #'print)) (deep 1)) *x*))
           (up)""",
    )
    assert await attempt.look("(list *x* *y*)") == "(2 1)"
    assert (await attempt.repair("(incf *x*) (incf *y*) (defun deep (x) x) (list *x* *y*)")).value == "(3 2)"
    assert await attempt.look("(list *x* *y*)") == "(3 2)"
    assert (await attempt.go_on("0/1")).value == "2"


async def test_after_a_memory_fault_there_is_only_abandon(open_world: World) -> None:
    fault = "(sb-sys:sap-ref-8 (sb-sys:int-sap 8) 0)"
    attempt = await evaluate(open_world, fault)
    assert attempt.pause.type == "SB-SYS:MEMORY-FAULT-ERROR"
    assert attempt.names == ["abandon"]
    attempt = await evaluate(open_world, f"(handler-case {fault} (error () 1))")
    assert (attempt.pause.type, attempt.names) == ("JITI:MEMORY-DAMAGED", ["abandon"])
    attempt = await evaluate(open_world, '(error "e")')
    await attempt.repair(f"(ignore-errors {fault})")
    assert (attempt.pause.level, attempt.names) == (1, ["drop-repair", "abandon"])
    assert (await evaluate(open_world, "(+ 1 1)")).value == "2"


# What a pause shows


async def test_an_inspection_sees_the_bindings_of_the_pause(world: World) -> None:
    attempt = await evaluate(world, '(defvar *x* 1) (let ((*x* 2)) (error "e"))')
    assert await attempt.look("*x*") == "2"
    assert await attempt.look("(setf *x* 3)") == "3"
    assert await attempt.look("*x*") == "2"


CLOCK = """
(defpackage #:clock (:use #:common-lisp) (:export #:*ticks* #:*broken*))
(in-package #:clock)
(defvar *ticks* 0)
(defvar *broken* nil)
(defclass clock (jiti:adapter) ((thread :initform nil) (stopping :initform nil)) (:default-initargs :name "clock"))
(defmethod jiti:quiesce ((clock clock))
  (with-slots (thread stopping) clock
    (when thread
      (setf stopping t)
      (sb-thread:join-thread (shiftf thread nil)))))
(defmethod jiti:resume-activity ((clock clock))
  (with-slots (thread stopping) clock
    (setf stopping nil
          thread (sb-thread:make-thread (lambda () (loop until stopping do (incf *ticks*) (sleep 0.001)))))))
(defmethod jiti:checkpoint ((clock clock))
  (when *broken* (error "The clock is broken.")))
(jiti:resume-activity (make-instance 'clock))
"""


async def test_threads_of_an_adapter_stop_for_forks_and_run_in_the_accepted_world(world: World) -> None:
    assert await world.load_base("clock.lisp", CLOCK) is None
    attempt = await evaluate(world, "(defun seen () clock:*ticks*)")
    for process in (world, attempt.candidate):
        assert int(await look(process, "clock:*ticks*")) >= 0
    ticks = int(await attempt.look("(seen)"))
    assert int(await attempt.look("(seen)")) == ticks
    accepted = await attempt.candidate.accept(1, 0)
    async with asyncio.timeout(SECONDS):
        while int(await look(accepted, "(seen)")) == ticks:
            pass


async def test_an_adapter_that_fails_is_named(world: World) -> None:
    assert await world.load_base("clock.lisp", CLOCK) is None
    world = await (await evaluate(world, "(setf clock:*broken* t)")).candidate.accept(1, 0)
    with pytest.raises(WorkerError, match="adapter clock failed in checkpoint: SIMPLE-ERROR: The clock is broken"):
        await world.attempt(1, 1)
    assert await look(world, "clock:*broken*") == "T"
