"""What comes with definitions: documentation, the warnings of the compiler, and a form that was left half done."""

from __future__ import annotations

import pytest
from fakes.attempt import evaluate
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.world import World


@pytest.fixture
async def story(keeper: Keeper) -> Story:
    return await Story.begin(keeper, opening=Opening(["W"], allow=["SB-EXT"]))


async def test_documentation_that_a_new_definition_has_no_more(story: Story) -> None:
    await story.accept(
        """(defun f () "f" 1) (defvar *v* 1 "v") (defclass c () () (:documentation "c")) (defstruct s "s" a)
           (deftype ty () "ty" 'integer) (defgeneric g (x) (:documentation "g")) (defconstant +k+ 1 "k")"""
    )
    look = """(list (documentation 'f 'function) (documentation '*v* 'variable) (documentation 'c 'type)
                    (documentation 's 'structure) (documentation 'ty 'type) (documentation 'g 'function)
                    (documentation '+k+ 'variable))"""
    assert await story.value(look) == '("f" "v" "c" "s" "ty" "g" "k")'
    await story.accept(
        """(defun f () 1) (defvar *v* 2) (defclass c () ()) (defstruct s a) (deftype ty () 'integer) (defgeneric g (x))
           (defconstant +k+ 1)"""
    )
    assert await story.value(look) == "(NIL NIL NIL NIL NIL NIL NIL)"


async def test_documentation_that_is_set_by_itself(story: Story) -> None:
    await story.accept("(defmacro m () 1) (defun f () (m)) (defvar *v* 1)")
    await story.accept("(setf (documentation 'f 'function) \"f\" (documentation '*v* 'variable) \"v\")")
    look = "(list (f) (documentation 'f 'function) (documentation '*v* 'variable))"
    assert await story.value(look) == '(1 "f" "v")'
    await story.accept("(defmacro m () 2)")
    assert await story.value(look) == '(2 "f" "v")'
    await story.accept("(setf (documentation 'f 'function) \"again\")")
    assert await story.value(look) == '(2 "again" "v")'
    await story.accept("(defun f () 3) (defvar *v* 2)")
    assert await story.value(look) == "(3 NIL NIL)"
    assert story.definitions == "(defmacro m () 2)\n\n(defun f () 3)\n\n(defvar *v* 2)\n"


async def test_a_form_that_is_left_after_it_has_defined_something(story: Story) -> None:
    attempt = await evaluate(story.world, "(let () (defun half () 1) (missing) (defun other () 2))")
    await attempt.repair("(defun missing () 3)")
    await attempt.go_on("0/0")
    assert isinstance(attempt.outcome, Value)
    await attempt.candidate.close()
    await story.accept("(defun missing () 3) (let () (defun half () 1) (missing) (defun other () 2))")
    assert await story.value("(list (half) (missing) (other))") == "(1 3 2)"


@pytest.mark.parametrize(
    ("forms", "warnings"),
    [
        ("(defun f () (later 1) (never 2)) (defun later (x) x)", ["undefined function: W::NEVER"]),
        ("(defvar *v* 1) (declaim (special *w*)) (defconstant +c+ 1)", []),
        ("(defun f (x y) x)", ["The variable Y is defined but never used."]),
        ("(defun f () 1) (defun g () (f 1))", ["The function F is called with one argument, but wants exactly zero."]),
        ("(defun f () *unknown*)", ["undefined variable: W::*UNKNOWN*"]),
        ("(defmacro m (x) x) (defun f () (m (never))) (defmacro m (x) `(list ,x))", ["undefined function: W::NEVER"]),
    ],
)
async def test_warnings_are_told_once(keeper: Keeper, forms: str, warnings: list[str]) -> None:
    world: World = await keeper.fork_world()
    await world.open(Opening(["W"]))
    await world.adopt(0, 0)
    outcome = (await evaluate(world, forms)).outcome
    assert isinstance(outcome, Value)
    assert list(outcome.warnings) == warnings


async def test_structures_that_are_lists_are_defined_anew(story: Story) -> None:
    await story.accept("(defstruct (l (:type list)) a) (defstruct (v (:type vector) :named (:copier copy-of-v)) a)")
    await story.accept("(defstruct (l (:type list)) b a) (defstruct (v (:type vector) :named (:copier nil)) b a)")
    assert (
        await story.value("(list (copy-l (make-l :a 1)) (v-a (make-v :a 2)) (fboundp 'copy-of-v))") == "((NIL 1) 2 NIL)"
    )
