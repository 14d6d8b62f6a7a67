"""What could differ without a word between the live world and the one that comes back: it is kept, or named."""

from __future__ import annotations

import pytest
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper


@pytest.fixture
async def story(keeper: Keeper) -> Story:
    return await Story.begin(keeper, opening=Opening(["W"], allow=["SB-EXT"]))


async def test_method_combinations_defined_anew(story: Story) -> None:
    await story.accept(
        """(defun wrap (forms) `(list ,@forms)) (define-method-combination short :operator list)
           (define-method-combination long () ((all ())) (wrap (mapcar (lambda (m) `(call-method ,m)) all)))
           (defgeneric s (x) (:method-combination short)) (defmethod s short ((x integer)) 1) (defmethod s short (x) 2)
           (defgeneric l (x) (:method-combination long)) (defmethod l ((x integer)) 1) (defmethod l (x) 2)"""
    )
    assert await story.value("(list (s 1) (l 1))") == "((1 2) (1 2))"
    await story.accept("(define-method-combination short :operator vector)")
    await story.accept("(defun wrap (forms) `(vector ,@forms))")
    assert await story.value("(list (s 1) (l 1))") == "(#(1 2) #(1 2))"


async def test_conditions_keep_state_as_classes_do(story: Story) -> None:
    await story.accept(
        """(define-condition c (error) ((n :allocation :class :initform 1 :accessor n)))
           (let ((count 0)) (define-condition d (error) () (:report (lambda (d s) (print (incf count) s)))))"""
    )
    await story.accept("(setf (n (make-condition 'c)) 5)")
    assert await story.value("(n (make-condition 'c))") == "5"
    assert await story.refused("(princ-to-string (make-condition 'd))") == ["what d closes over"]


async def test_what_a_structure_leaves_behind(story: Story) -> None:
    await story.accept("(defstruct a x) (defun f (a) (a-x a)) (defvar *a* (make-a :x 1))")
    await story.accept("(defstruct (a (:conc-name aa-)) x)")
    assert await story.value("(list (aa-x *a*) (fboundp 'a-x) (ignore-errors (f *a*)))") == "(1 NIL NIL)"


async def test_what_is_said_again_counts(story: Story) -> None:
    await story.accept("(declaim (inline f)) (defun f () 1)")
    await story.accept("(declaim (inline f g)) (defun g () (f))")
    await story.accept("(declaim (notinline f))")
    assert await story.value("(g)") == "1"
    await story.accept("(declaim (inline f)) (defun f () 2)")
    assert await story.value("(g)") == "2"
    await story.accept("(deftype ty () 'integer) (declaim (ftype (function (ty) t) typed)) (defun typed (x) x)")
    await story.accept("(deftype ty () 'string)")
    assert await story.value('(list (typed "") (handler-case (typed 1) (type-error () :no)))') == '("" :NO)'


async def test_inline_functions_in_a_chain(story: Story) -> None:
    await story.accept("(declaim (inline a b)) (defun a () 1) (defun b () (a)) (defun c () (b))")
    await story.accept("(defun a () 2)")
    assert await story.value("(c)") == "2"


async def test_the_same_text_twice(story: Story) -> None:
    text = """(declaim (inline add)) (defun add (k v l) (acons k v l))
              (macrolet ((define (name) `(progn (declaim (inline ,name)) (defun ,name (k v l) (add k v l))
                                                (defun (setf ,name) (v l) (add v v l)))))
                (define put))
              (defclass c () ((x :initarg :x :accessor x :initform 1)))
              (defvar *c* (make-instance 'c))
              (defun f () (x *c*)) (setf (documentation 'f 'function) "About f")"""
    await story.accept(text)
    assert await story.value("(list (f) (put 1 2 nil))") == "(1 ((1 . 2)))"
    await story.accept(text)
    await story.accept("(setf (x *c*) 2) (declaim (inline add)) (defun add (k v l) (list* v k l))")
    assert await story.value("(list (f) (put 1 2 nil) (setf (put nil) 3))") == "(2 (2 1) (3 3))"


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("(setf *n* 2)", "(if (eql *n* 2) (defun f () :two) (defun f () :other))", "the function f"),
        ("(setf *n* 2)", "(when (eql *n* 2) (defclass c () ()))", "the class c"),
        ("(setf *n* :b)", "(defmethod m ((x (eql *n*))) 1)", "the method m ((eql :b))"),
        ("(defvar *l* (list 1))", "(defmethod m ((x (eql *l*))) 1)", "m ((eql (1)))"),
        ("(setf *n* '(a))", "(when (consp *n*) (export (first *n*)))", "the export a"),
        ("(setf (jiti:value :n) 2) (defun n () (jiti:value :n))", "(defun f () (load-time-value (n)))",
         "what LOAD-TIME-VALUE in f may read"),
        ("(defvar *l* (list 1))", "(let ((l *l*)) (defun f () l))", "*l*"),
        ("(defclass a () ())", "(setf (class-name (find-class 'a)) 'z)", "the name of the class a"),
        ("(defun f () 'sym)", "(unintern 'sym)", "f"),
    ],
)  # fmt: skip
async def test_what_is_named(story: Story, before: str, after: str, named: str) -> None:
    await story.accept(f"(defvar *n* 1) {before}")
    assert named in await story.refused(after)


async def test_what_texts_are_read_as(story: Story) -> None:
    await story.accept(
        """(defpackage #:a (:use #:cl) (:export #:f #:g)) (defpackage #:b (:use #:cl #:a))
           (in-package #:a) (defun f () 1) (in-package #:b) (defun h () (list (f)))
           (sb-ext:add-package-local-nickname '#:z '#:a '#:b)"""
    )
    await story.accept("(in-package #:b) (defun k () 'z:g)")
    assert await story.value("(b::k)") == "A:G"
    for forms in (
        "(defpackage #:a (:use #:cl) (:export #:g))",
        "(defpackage #:b (:use #:cl))",
        "(defpackage #:b (:use #:cl #:a) (:shadow #:list))",
    ):
        assert "what the text of b::h is read as" in await story.refused(forms)
    await story.accept("(unexport 'a:f '#:a)")
    assert await story.value("(b::h)") == "(1)"
    await story.accept("(delete-package '#:b) (delete-package '#:a)")
    assert story.definitions == ""


@pytest.mark.parametrize(
    ("method", "then", "named"),
    [
        ("(defmethod documentation ((x (eql 'f)) (kind (eql 'function))) (error \"boom\"))", "(defun g () 2)", ""),
        ("(defmethod documentation ((x (eql 'f)) (kind (eql 'function))) (loop))", "(defun g () 2)", ""),
        ('(defmethod print-object ((a a) stream) (error "boom"))', "(defvar *f* (lambda () *a*))", "*f*"),
        ('(defmethod make-load-form ((a a) &optional environment) (error "~A" environment))', "(defun g () 2)", ""),
        (
            '(defmethod shared-initialize :after ((a a) names &key) (error "boom"))',
            "(defclass a () ((x :initform 1) (y :initform 2)))",
            "*a*",
        ),
    ],
)
async def test_methods_that_fail_where_a_revision_looks(story: Story, method: str, then: str, named: str) -> None:
    await story.accept("(defclass a () ((x :initform 1))) (defvar *a* (make-instance 'a)) (defun f () 1)")
    await story.accept(method)
    if named:
        assert await story.refused(then) == [named]
    await story.accept("(defun g () 2)")
    assert await story.value("(g)") == "2"


async def test_variables_of_sbcl_are_kept_or_named(story: Story) -> None:
    await story.accept("(defun hook () 1) (push 'hook sb-ext:*exit-hooks*) (setf sb-ext:*inline-expansion-limit* 5)")
    assert await story.value("(list sb-ext:*exit-hooks* sb-ext:*inline-expansion-limit*)") == "((HOOK) 5)"
    assert await story.refused("(push (lambda () 1) sb-ext:*exit-hooks*)") == ["the variable sb-ext:*exit-hooks*"]


async def test_what_a_metaclass_adds_must_come_from_definitions(keeper: Keeper) -> None:
    story = await Story.begin(keeper, opening=Opening(["W"], allow=["SB-MOP"]))
    await story.accept(
        """(defclass meta (standard-class) ((n :initarg :n :initform 0 :accessor n)))
           (defmethod sb-mop:validate-superclass ((a meta) (b standard-class)) t)
           (defclass added (sb-mop:standard-direct-slot-definition) ((unit :initarg :unit :accessor unit)))
           (defmethod sb-mop:direct-slot-definition-class ((class meta) &rest options) options (find-class 'added))
           (defclass own (standard-generic-function) ((n :initform 0 :accessor n))
             (:metaclass sb-mop:funcallable-standard-class))
           (defgeneric g (x) (:generic-function-class own))
           (defclass x () ((a :unit :metre)) (:metaclass meta) (:n 7))"""
    )
    slot = "(unit (first (sb-mop:class-direct-slots (find-class 'x))))"
    assert await story.value(f"(list (n (find-class 'x)) {slot} (n #'g))") == "((7) :METRE 0)"
    assert await story.refused("(setf (n (find-class 'x)) 5)") == ["what slots of its metaclass hold of x"]
    assert await story.refused(f"(setf {slot} 5)") == ["what slots of its metaclass hold of x"]
    assert await story.refused("(setf (n #'g) 5)") == ["what slots of its metaclass hold of g"]
    await story.accept("(defclass x () ((a :unit :mile)) (:metaclass meta) (:n 8))")
    assert await story.value(f"(list (n (find-class 'x)) {slot})") == "((8) :MILE)"
