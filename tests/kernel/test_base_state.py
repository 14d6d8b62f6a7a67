"""State that is base code's or the standard's: a revision keeps it, or the attempt that changed it is refused."""

from __future__ import annotations

import pytest
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper

BASE = """
(defpackage #:w (:use #:cl))
(defpackage #:lib (:use #:cl)
  (:export #:*v* #:*list* #:*routes* #:*table* #:+constant+ #:define-route #:route #:define-handler #:handle
   #:*handlers* #:next #:literal #:thing #:shared
   #:with-managed))
(in-package #:lib)
(defvar *v* 1 "A variable.")
(defvar *list* (list 1 2))
(defvar *table* (make-hash-table :test 'equal))
(defvar *started* (list (get-internal-real-time) (random 1000000 (make-random-state t))))
(defconstant +constant+ (if (boundp '+constant+) (symbol-value '+constant+) (list 1 2)))
(defvar *routes* '())
(defmacro define-route (name &body body)
  `(progn (defun ,name () ,@body) (push (cons ',name (lambda () ,@body)) *routes*) ',name))
(defun route (name) (funcall (cdr (assoc name *routes*))))
(defvar *handlers* (make-hash-table))
(defmacro define-handler (name &body body) `(setf (gethash ',name *handlers*) (lambda () ,@body)))
(defun handle (name) (funcall (gethash name *handlers*)))
(let ((n 0)) (defun next () (incf n)))
(defun literal () "What a literal is." '(1 2 3))
(defmacro with-managed (&body body) `(w::managed ,@body))
(defclass thing () ((shared :allocation :class :initform 0 :accessor shared)))
"""


@pytest.fixture
async def story(keeper: Keeper) -> Story:
    return await Story.begin(keeper, BASE)


async def test_what_is_data_is_kept(story: Story) -> None:
    await story.accept("(setf lib:*v* 2)")
    assert await story.value("lib:*v*") == "2"
    assert story.data == ["lib:*v*"]
    await story.accept('(setf (gethash "a" lib:*table*) lib:*list*) (push 0 (cdr lib:*list*))')
    assert await story.value('(list lib:*v* lib:*list* (eq lib:*list* (gethash "a" lib:*table*)))') == "(2 (1 0 2) T)"
    await story.accept("(makunbound 'lib:*v*)")
    assert await story.value("(boundp 'lib:*v*)") == "NIL"
    await story.accept("(setf lib:*v* 1)")
    assert await story.value("lib:*v*") == "1"
    await story.accept("(setf (get 'lib:*v* 'a) 1 (get :keyword 'a) 2 (get 'car 'a) 3)")
    assert await story.value("(list (get 'lib:*v* 'a) (get :keyword 'a) (get 'car 'a))") == "(1 2 3)"
    await story.accept("(setf (lib:shared (make-instance 'lib:thing)) 5)")
    assert await story.value("(lib:shared (make-instance 'lib:thing))") == "5"


async def test_a_registry_of_closures_is_filled_by_definitions(story: Story) -> None:
    await story.accept("(lib:define-route home :home)")
    await story.accept("(lib:define-route about :about)")
    assert await story.value("(list (lib:route 'home) (lib:route 'about))") == "(:HOME :ABOUT)"
    assert story.data == []
    for forms in (
        "(push (cons 'other (lambda () 1)) lib:*routes*)",
        "(setf lib:*routes* '())",
        "(lib:define-route home :again)",
    ):
        assert await story.refused(forms) == ["the variable lib:*routes*"]
    await story.accept("(setf lib:*routes* (remove 'about lib:*routes* :key #'car)) (lib:define-route about :again)")
    assert await story.value("(list (lib:route 'about) (length lib:*routes*))") == "(:AGAIN 2)"
    await story.accept("(fmakunbound 'about)")
    assert await story.value("(list (lib:route 'about) (fboundp 'about))") == "(:AGAIN NIL)"


async def test_an_entry_of_a_keyed_registry_is_replaced(story: Story) -> None:
    await story.accept("(defmacro m () 1) (lib:define-handler :a :one)")
    await story.accept("(lib:define-handler :b (m))")
    await story.accept("(lib:define-handler :a :two)")
    assert await story.value("(list (lib:handle :a) (lib:handle :b))") == "(:TWO 1)"
    assert story.definitions == ("(defmacro m () 1)\n\n(lib:define-handler :a :two)\n\n(lib:define-handler :b (m))\n")
    assert await story.refused("(defmacro m () 2)") == ["lib:define-handler :b in lib:*handlers*"]
    await story.accept("(defmacro m () 2) (lib:define-handler :b (m))")
    assert await story.value("(lib:handle :b)") == "2"
    assert await story.refused("(remhash :a lib:*handlers*)") == ["the variable lib:*handlers*"]


async def test_what_no_text_tells_is_refused_by_name(story: Story) -> None:
    assert await story.refused("(lib:next)") == ["what lib:next closes over"]
    assert await story.refused("(setf (second (lib:literal)) 9)") == ["a literal in lib:literal"]
    assert await story.refused("(setf (first lib:+constant+) 9)") == ["the value of lib:+constant+"]
    assert await story.refused("(defun :keyword () 1)") == ["the definition of :keyword"]


async def test_base_code_that_is_defined_anew(story: Story) -> None:
    await story.accept("(defun lib:next () :managed) (defvar lib:*v* 5) (lib:next)")
    assert (
        await story.value("(list (lib:next) lib:*v* (documentation 'lib:*v* 'variable))")
        == '(:MANAGED 1 "A variable.")'
    )
    await story.accept("(setf (documentation 'lib:literal 'function) \"Other.\")")
    assert await story.value("(documentation 'lib:literal 'function)") == '"Other."'
    await story.accept("(defparameter lib:*v* 6)")
    assert await story.value("(list lib:*v* (documentation 'lib:*v* 'variable))") == '(6 "A variable.")'


async def test_a_macro_of_the_base_that_uses_one_of_the_world(story: Story) -> None:
    await story.accept("(defmacro managed (x) `(list ,x)) (defun f () (lib:with-managed 1))")
    await story.accept("(defmacro managed (x) `(vector ,x))")
    assert await story.value("(f)") == "#(1)"


async def test_what_base_code_has_left_is_there_again(story: Story) -> None:
    await story.accept("(defvar *next* 'lib:next) (declaim (optimize (safety 0)))")
    await story.accept("(declaim (optimize (safety 0) (speed 3)))")
    await story.accept("(unexport *next* '#:lib) (declaim (optimize (safety 1) (speed 1)))")
    await story.accept("(export *next* '#:lib)")
    assert story.definitions == "(defvar *next* 'lib:next)\n"


async def test_features(story: Story) -> None:
    await story.accept("(defun before () :x)")
    await story.accept("(push :x *features*)")
    await story.accept("#+x (defun f () :x)\n#-x (defun f () :no-x)")
    assert await story.value("(f)") == ":X"
    await story.accept("(push :y *features*) (setf *features* (remove :common-lisp *features*))")
    assert (
        await story.value("(list (first *features*) (second *features*) (find :common-lisp *features*))")
        == "(:Y :X NIL)"
    )
    assert await story.refused("(setf *features* (remove :x *features*))") == ["f"]
    assert await story.refused("(push :odd *features*)\n#-:odd (defun h () 1)") == ["h"]
    await story.accept("(setf *features* (remove :x *features*)) (defun f () :without)")
    assert await story.value("(f)") == ":WITHOUT"


async def test_what_evaluation_binds_does_not_leak(keeper: Keeper) -> None:
    story = await Story.begin(keeper, opening=Opening(["W"], allow=["SB-EXT"]))
    look = """(list *print-base* *read-base* *package* *read-default-float-format* *default-pathname-defaults*
               sb-ext:*evaluator-mode* *gensym-counter* *print-case* (random 1000000))"""
    await story.accept("(defvar *v* 1)")
    before = await story.value(look)
    await story.accept(
        """(setf *print-base* 2 *read-base* 2 *package* (find-package '#:cl) *read-default-float-format* 'double-float
                 *default-pathname-defaults* #p"/x/" sb-ext:*evaluator-mode* :interpret *gensym-counter* 70
                 *print-case* :downcase *random-state* (make-random-state t) *macroexpand-hook* 'funcall
                 *readtable* (copy-readtable) *v* 2)
           (random 5) (gensym)"""
    )
    assert await story.value(look) == before
    assert await story.value("*v*") == "2"


async def test_an_object_of_base_code_that_data_hold_too_stays_one(story: Story) -> None:
    await story.accept("(defvar *mine* (list lib:*list*)) (setf (jiti:value :name) (string 'a))")
    assert story.data == ["(value :name)", "*mine*", "lib:*list*"]
    assert await story.value("(progn (push 7 (cdr (first *mine*))) lib:*list*)") == "(1 7 2)"
    await story.accept("(setf (jiti:value :table) lib:*table*)")
    assert await story.value("(eq (jiti:value :table) lib:*table*)") == "T"


async def test_an_object_that_base_code_cannot_give_away_is_named(keeper: Keeper) -> None:
    base = '(defpackage #:lib (:use #:cl) (:export #:*held*)) (defvar lib:*held* (list (list 1) "text" (lambda () 1)))'
    story = await Story.begin(keeper, base)
    assert await story.refused("(defvar *mine* (list 0 (first lib:*held*)))") == ["*mine*"]
    await story.accept("(defvar *mine* (list 0 (copy-list (first lib:*held*)) (second lib:*held*)))")
    assert await story.value("*mine*") == '(0 (1) "text")'


async def test_slots_and_properties_of_base_code_that_data_hold_too(keeper: Keeper) -> None:
    base = """(defpackage #:lib (:use #:cl) (:export #:thing #:shared)) (in-package #:lib)
              (defclass thing () ((shared :allocation :class :initform (list 1) :accessor shared)))
              (setf (get 'thing :list) (list 2))"""
    story = await Story.begin(keeper, base)
    await story.accept("(defvar *mine* (list (lib:shared (make-instance 'lib:thing)) (get 'lib:thing :list)))")
    shared = "(list (lib:shared (make-instance 'lib:thing)) (get 'lib:thing :list))"
    assert await story.value(f"(progn (push 9 (cdr (first *mine*))) (push 8 (cdr (second *mine*))) {shared})") == (
        "((1 9) (2 8))"
    )
