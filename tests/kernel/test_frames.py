"""What a pause shows of its stack: the attempt's own frames, where their code stands, and their variables."""

from __future__ import annotations

import pytest
from fakes.attempt import SECONDS, Attempt, evaluate

from jiti_tui.kernel.messages import Frame, Framed, Inspected, Invalid, Local, Signalled
from jiti_tui.kernel.world import World

ACCEPTED = """;; Calls F.
(defun base (f)
  (let ((n 5))
    (list n
          (funcall f n))))"""
FORMS = """(defun inner (x)
  (let ((twice (* x 2)))
    (list 1
          (car (error "deep ~A" twice)))))

;; Calls INNER.
(defun outer (x)
  (flet ((local (y)
           (list (inner y) x)))
    (list (local 4))))
(list
  (base
    #'outer))"""


async def accepted(world: World) -> World:
    return await (await evaluate(world, ACCEPTED)).candidate.accept(1, 0)


async def framed(attempt: Attempt, index: int) -> Framed | Invalid:
    runner = await attempt.candidate.runner()
    frame = await runner.frame(index, SECONDS)
    await runner.close()
    return frame


async def inspected(attempt: Attempt, expression: str, frame: int) -> Inspected | Signalled | Invalid:
    runner = await attempt.candidate.runner()
    answer = await runner.inspect(expression, SECONDS, frame)
    await runner.close()
    return answer


async def test_frames_are_the_attempts_own_and_tell_their_lines(world: World) -> None:
    attempt = await evaluate(await accepted(world), FORMS)
    assert attempt.pause.frames[0] == Frame("(INNER 4)", "proposal", 4)
    assert attempt.pause.frames[1].call.startswith("((FLET LOCAL :IN OUTER)")
    assert [(frame.place, frame.line) for frame in attempt.pause.frames[1:]] == [
        *(("proposal", 9), ("proposal", 10), ("definition", 5)),
    ]
    await attempt.repair("(defun fresh () 1)\n(let ((n 8))\n  (list (inner n)))")
    assert attempt.pause.frames[0] == Frame("(INNER 8)", "proposal", 4)
    assert [(frame.place, frame.line) for frame in attempt.pause.frames[1:]] == [("repair", 3)]


async def test_a_frame_with_its_variables_and_its_text(world: World) -> None:
    attempt = await evaluate(await accepted(world), FORMS)
    inner = await framed(attempt, 0)
    assert isinstance(inner, Framed)
    assert (inner.frame, inner.first) == (attempt.pause.frames[0], 1)
    assert Local("x", "4") in inner.locals
    assert inner.text == FORMS[: FORMS.index("\n\n;; Calls")]
    outer = await framed(attempt, 2)
    assert isinstance(outer, Framed)
    assert (outer.first, outer.text.startswith(";; Calls INNER.\n(defun outer")) == (6, True)
    base = await framed(attempt, 3)
    assert isinstance(base, Framed)
    assert (base.text, base.first) == (ACCEPTED, 1)
    assert base.locals == (Local("f", "#<FUNCTION OUTER>"), Local("n", "5"))
    assert await framed(attempt, 5) == Invalid("There is no frame 5; the pause shows 4.", 0, 0)


async def test_frames_of_outer_levels_count_on_and_are_looked_into(world: World) -> None:
    attempt = await evaluate(await accepted(world), FORMS)
    outer = attempt.pause.frames
    await attempt.repair("(let ((n 8))\n  (list (inner n)))")
    assert len(attempt.pause.frames) == 2
    for index, frame in enumerate(outer):
        told = await framed(attempt, 2 + index)
        assert isinstance(told, Framed)
        assert told.frame == frame
    seen = await framed(attempt, 2)
    assert isinstance(seen, Framed)
    assert Local("x", "4") in seen.locals
    assert await inspected(attempt, "x", 0) == Inspected("8", "")
    assert await inspected(attempt, "x", 2) == Inspected("4", "")
    assert await framed(attempt, 6) == Invalid("There is no frame 6; the pause shows 6.", 0, 0)


async def test_an_expression_in_a_frame_sees_its_variables(world: World) -> None:
    attempt = await evaluate(await accepted(world), FORMS)
    assert await inspected(attempt, "(list x (* x 10))", 0) == Inspected("(4 40)", "")
    assert await inspected(attempt, "(setf n 6) (list n (print n))", 3) == Inspected("(6 6)", "\n6 ")
    assert await inspected(attempt, "n", 3) == Inspected("5", "")
    unbound = await inspected(attempt, "x", 3)
    assert isinstance(unbound, Signalled)
    assert unbound.type == "UNBOUND-VARIABLE"
    assert isinstance(await inspected(attempt, "1", 9), Invalid)
    assert isinstance(await inspected(attempt, "(car", 0), Invalid)


@pytest.mark.parametrize(
    ("forms", "place", "line"),
    [
        ('\n\n(progn\n  (list 1)\n\n  (defun f ()\n    (list (car (error "e"))))\n  (list (f)))', "proposal", 7),
        ("(defmacro m (x)\n `(list (error ,x)))\n(defun f ()\n (list\n  (m 1)))\n(list (f))", "proposal", 5),
        ('(let ((a 1))\n (defun f ()\n  (list (incf a) (error "e"))))\n(list (f))', "proposal", 3),
    ],
)
async def test_the_line_is_that_of_the_form_under_way(world: World, forms: str, place: str, line: int) -> None:
    frame = (await evaluate(world, forms)).pause.frames[0]
    assert (frame.place, frame.line) == (place, line)


async def test_a_function_that_was_compiled_again_shows_its_own_text(world: World) -> None:
    definitions = "(defmacro twice (x) `(* 2 ,x))\n(defun f (x)\n  (list (car (twice x))))"
    attempt = await evaluate(world, definitions)
    world = await attempt.candidate.accept(1, 0)
    attempt = await evaluate(world, '(defmacro twice (x) `(list (error "no ~A" ,x)))\n(list (f 4))')
    frame = await framed(attempt, 0)
    assert isinstance(frame, Framed)
    assert (frame.frame.place, frame.frame.line, frame.text) == ("definition", 2, definitions.split("\n", 1)[1])


async def test_frames_of_base_code_name_their_file(world: World) -> None:
    assert (
        await world.load_base(
            "tools.lisp", "(defpackage :world (:use :cl)) (in-package :world) (defun tool (x) (list (car x)))"
        )
        is None
    )
    frame = (await evaluate(world, "(list (tool 1))")).pause.frames[0]
    assert (frame.call, frame.line) == ("(TOOL 1)", 0)


async def test_frames_and_variables_where_the_stack_is_exhausted(world: World) -> None:
    attempt = await evaluate(world, "(defvar *kept* 1) (defun deep (x) (1+ (deep x))) (let ((*kept* 2)) (deep 7))")
    assert attempt.pause.frames[1] == Frame("(DEEP 7)", "proposal", 1)
    frame = await framed(attempt, 1)
    assert isinstance(frame, Framed)
    assert frame.locals == (Local("x", "7"),)
    assert await inspected(attempt, "(list x *kept*)", 1) == Inspected("(7 2)", "")


async def test_variables_that_do_not_print_are_named_and_bounded(world: World) -> None:
    attempt = await evaluate(
        world,
        """(defclass mute () ())
           (defmethod print-object ((object mute) stream) (error "mute"))
           (defun f (a b c) (break) (list a b c))
           (list (f (make-instance 'mute) (make-list 1000) (let ((x (list 1))) (setf (cdr x) x))))""",
    )
    frame = await framed(attempt, 0)
    assert isinstance(frame, Framed)
    mute, long, circular = frame.locals
    assert (mute.value, circular.value, len(long.value)) == ("#<unprintable MUTE>", "#1=(1 . #1#)", 300)
