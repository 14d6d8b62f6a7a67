"""What a proposal may not change: Lisp itself, and what the kernel goes by."""

from __future__ import annotations

import pytest
from fakes.attempt import evaluate

from jiti_tui.kernel.exports import NotReconstructible
from jiti_tui.kernel.world import World


@pytest.mark.parametrize("name", ["list-length", "jiti:value", "dolist"])
async def test_a_locked_function_that_was_defined_anew_all_the_same_is_no_revision(world: World, name: str) -> None:
    kind = "defmacro" if name == "dolist" else "defun"
    attempt = await evaluate(world, f"({kind} {name} (x) x 42) (defun own () 1)")
    assert attempt.pause.type == "SB-EXT:SYMBOL-PACKAGE-LOCKED-ERROR"
    await attempt.resume("continue")
    assert attempt.value == "OWN"
    runner = await attempt.candidate.runner()
    export = await runner.export()
    assert isinstance(export, NotReconstructible)
    assert export.path == f"#'{name}"


@pytest.mark.parametrize(
    "method",
    [
        'print-object ((x integer) stream) (write-string "7" stream)',
        "print-object ((x t) stream) (loop)",
        "make-instance :around ((class t) &rest more) (loop)",
        'shared-initialize :after ((x t) slots &rest more) (error "no")',
        "(setf documentation) (new (x t) (type t)) new",
    ],
)
async def test_a_method_that_would_change_lisp_itself_pauses(world: World, method: str) -> None:
    attempt = await evaluate(world, f"(setf (jiti:value :x) 5) (defmethod {method})")
    assert "would change Lisp itself" in attempt.pause.condition
    assert (await attempt.resume("use-value", "1")).value == "1"
    assert await attempt.look("(jiti:value :x)") == "5"


@pytest.mark.parametrize(
    "method",
    [
        "class-name ((class meta)) 'nobody",
        'class-name :around ((class standard-class)) (error "no")',
        "class-name ((class (eql (find-class 'own)))) 'nobody",
        "add-method :after ((function standard-generic-function) (method standard-method)) nil",
    ],
)
async def test_a_method_that_would_hide_definitions_pauses(world: World, method: str) -> None:
    attempt = await evaluate(
        world, f"(defclass own () ((name :reader class-name))) (defclass meta (standard-class) ()) (defmethod {method})"
    )
    assert "would hide from the kernel what the world defines" in attempt.pause.condition
    assert (await attempt.resume("use-value", "1")).value == "1"
    assert await attempt.look("(class-name (find-class 'own))") == "OWN"


async def test_methods_for_what_is_the_worlds_own_are_as_ever(world: World) -> None:
    attempt = await evaluate(
        world,
        """(defclass own () ()) (defstruct other)
           (defmethod print-object ((x own) stream) (write-string "OWN" stream))
           (defmethod print-object ((x other) stream) (write-string "OTHER" stream))
           (defmethod documentation ((x t) (type (eql 'colour))) "red")
           (defmethod make-instance ((class (eql 'short)) &rest more) more)
           (defgeneric size (x)) (defmethod size ((x integer)) x) (defmethod size ((x t)) 0)
           (list (make-instance 'own) (make-other) (documentation 'own 'colour) (make-instance 'short :a 1)
                 (size 2) (size nil))""",
    )
    assert attempt.value == '(OWN OTHER "red" (:A 1) 2 0)'
