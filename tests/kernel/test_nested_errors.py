"""Errors where there should be none: in handlers, in what prints, in restarts, in cleanup forms."""

from __future__ import annotations

import pytest
from fakes.attempt import SECONDS, evaluate, look

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Abandoned, Dropped
from jiti_tui.kernel.world import World

FORM_RESTARTS = ["use-value", "retry", "abandon"]
"""What the kernel itself offers around every top-level form."""
MUTE = """(defclass mute () ())
          (defmethod print-object ((object mute) stream) (error "This does not print ~A." stream))"""


@pytest.mark.parametrize(
    ("forms", "type_", "condition", "restarts"),
    [
        (
            '(handler-bind ((error (lambda (c) (error "in the handler of ~A" c)))) (error "e"))',
            "SIMPLE-ERROR",
            "in the handler of e",
            [],
        ),
        ('(handler-bind ((error (lambda (c) (car c)))) (error "e"))', "TYPE-ERROR", "is not of type", []),
        ('(handler-case (error "e") (error (c) (error "after ~A" c)))', "SIMPLE-ERROR", "after e", []),
        (
            """(handler-bind ((error (lambda (c)
                                       (handler-bind ((error (lambda (d) (error "~A, ~A" c d)))) (error "2")))))
                 (error "1"))""",
            *("SIMPLE-ERROR", "1, 2", []),
        ),
        (
            '(restart-case (error "e") (bad () :test (lambda (c) (error "~A" c)) 1) (good () 2))',
            "SIMPLE-ERROR",
            "e",
            ["good"],
        ),
        (
            '(restart-case (error "e") (bad () :test (lambda (c) (throw c 1)) 1) (good () 2))',
            "SIMPLE-ERROR",
            "e",
            ["good"],
        ),
        ('(restart-case (error "e") (bad () :report (lambda (s) (error "~A" s)) 1))', "SIMPLE-ERROR", "e", ["bad"]),
        (
            '(restart-case (error "e") (bad () :interactive (lambda () (error "asked")) 1))',
            "SIMPLE-ERROR",
            "e",
            ["bad"],
        ),
        ('(let ((*print-readably* t) (*print-length* 0)) (error "~S" (list 1)))', "SIMPLE-ERROR", "(1)", []),
    ],
)
async def test_it_is_a_pause_like_any_other(
    world: World, forms: str, type_: str, condition: str, restarts: list[str]
) -> None:
    attempt = await evaluate(world, forms)
    assert (attempt.pause.level, attempt.pause.type) == (0, type_)
    assert condition in attempt.pause.condition
    assert attempt.names == restarts + FORM_RESTARTS
    assert (await attempt.resume("use-value", "7")).value == "7"
    assert (await evaluate(world, "(+ 1 1)")).value == "2"


async def test_a_test_of_a_restart_that_does_not_end_costs_the_time_limit_alone(world: World) -> None:
    attempt = await evaluate(world, '(restart-case (error "e") (bad () :test (lambda (c) (loop)) 1) (good () 2))', 0.1)
    assert attempt.names == ["good", *FORM_RESTARTS]
    assert (await attempt.resume("good")).value == "2"


async def test_what_does_not_print_is_named_wherever_it_stands(world: World) -> None:
    assert (await evaluate(world, f"{MUTE} (make-instance 'mute)")).value == "#<unprintable MUTE>"
    attempt = await evaluate(
        world,
        f"""{MUTE}
            (define-condition about (error) ((what :initarg :what :reader what))
              (:report (lambda (c s) (format s "about ~A" (what c)))))
            (defun call (x)
              (restart-case (error 'about :what x) (give (y) :report (lambda (s) (print x s)) (list x y))))
            (list (call (make-instance 'mute)))""",
    )
    assert (attempt.pause.type, attempt.pause.condition) == ("ABOUT", "#<unprintable ABOUT>")
    assert attempt.restart("give").report == "#<unprintable RESTART>"
    assert attempt.pause.frames[0].call == "(CALL #<unprintable MUTE>)"
    assert (await attempt.resume("give", "3")).value == "#<unprintable CONS>"


@pytest.mark.parametrize(
    ("type_", "condition", "restarts"),
    [
        ("t", "BREAK was entered because of *BREAK-ON-SIGNALS*", ["continue", "reset", "reassign"]),
        ("(no type)", "unknown type specifier: (NO TYPE)", ["reset", "reassign"]),
    ],
)
async def test_breaks_on_signals_are_breaks_on_those_of_the_form(
    world: World, type_: str, condition: str, restarts: list[str]
) -> None:
    attempt = await evaluate(world, f'(let () (setf *break-on-signals* \'{type_}) (list (signal "s")))')
    assert condition in attempt.pause.condition
    assert attempt.names == restarts + FORM_RESTARTS
    assert await attempt.look("(ignore-errors (car 1))") == "NIL"
    assert (await attempt.repair("(defun f () (ignore-errors (car 1))) (f)")).value == "NIL"
    await attempt.go_on(f"0/{restarts.index('reset')}")
    assert attempt.value == "(NIL)"


async def test_an_error_in_a_cleanup_form_when_a_restart_leaves_it(world: World) -> None:
    attempt = await evaluate(world, '(unwind-protect (error "body") (error "cleanup ~A" 1) (error "cleanup 2"))')
    assert attempt.pause.condition == "body"
    for number in (1, 2):
        await attempt.resume("use-value", str(number))
        if number == 1:
            assert (attempt.pause.level, attempt.pause.condition) == (0, "cleanup 1")
    assert attempt.value == "2"


async def test_an_error_in_a_cleanup_form_stops_nobody_who_abandons_or_restores(world: World) -> None:
    forms = '(defvar *x* 1) (unwind-protect (error "body") (error "cleanup"))'
    attempt = await evaluate(world, forms)
    assert await attempt.candidate.abandon(1) == Abandoned(2)
    attempt = await evaluate(world, forms)
    await attempt.candidate.close()
    attempt = await evaluate(world, forms)
    await attempt.repair('(unwind-protect (error "inner") (error "inner cleanup"))')
    assert await attempt.candidate.resume(2, attempt.restart("drop-repair").id, (), SECONDS) == Dropped(3)
    assert await attempt.candidate.abandon(3) == Abandoned(4)
    assert await look(world, "(boundp '*x*)") == "NIL"


async def test_an_error_at_the_deepest_level_leaves_that_level(world: World) -> None:
    attempt = await evaluate(world, '(error "0")')
    for level in range(1, 6):
        await attempt.repair(f'(handler-bind ((error (lambda (c) (error "~A in a handler" c)))) (error "{level}"))')
        assert (attempt.pause.level, attempt.pause.condition) == (level, f"{level} in a handler")
    refused = await attempt.candidate.repair(6, "(defun trace-of-it () 1) (car 1)", SECONDS)
    assert "no pause can be opened inside this one: TYPE-ERROR" in getattr(refused, "reason", "")
    assert await attempt.look("(fboundp 'trace-of-it)") == "NIL"
    assert (await attempt.repair("(list 1)")).value == "(1)"


async def test_what_shuts_out_signals_is_killed_and_the_world_goes_on(keeper: Keeper) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-SYS"]))
    with pytest.raises(WorkerDied, match="did not stop within 2 s"):
        await evaluate(world, "(defvar *x* 1) (sb-sys:without-interrupts (loop))", 0.05)
    assert await look(world, "(boundp '*x*)") == "NIL"
