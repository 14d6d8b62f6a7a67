"""What a proposal can define, in the live world and in the one that comes back from disk: one world a topic."""

from __future__ import annotations

import pytest
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper


@pytest.fixture
async def story(keeper: Keeper) -> Story:
    return await Story.begin(keeper, opening=Opening(["W"], allow=["SB-EXT"]))


async def test_functions_and_macros(story: Story) -> None:
    await story.accept(
        """(defun f (x) (list x)) (defun (setf f) (v x) (setf (car x) v))
           (defmacro m (&body b) `(list ,@b)) (define-compiler-macro cf (x) `(list :compiled ,x))
           (defun cf (x) (list x)) (defun use-cf () (cf 1))
           (defvar *cell* (list 1 2)) (define-symbol-macro s (car *cell*))
           (defun use-s () (setf s 5) (incf s) *cell*) (define-modify-macro appendf (&rest more) append)
           (defsetf ff (x) (v) `(progn (push ,v *cell*) ,x)) (defun set-gg (x v) (list x v)) (defsetf gg set-gg)
           (define-setf-expander ex (y) (get-setf-expansion `(car ,y)))
           (defun places ()
             (let ((x (list 1))) (setf (ex x) 4) (appendf x '(9)) (list x (setf (ff x) 3) (setf (gg 1) 2))))
           (declaim (inline i)) (defun i (n) (+ n 1)) (defun use-i () (i 1))
           (declaim (ftype (function (integer) integer) typed)) (defun typed (x) x) (declaim (notinline i))"""
    )
    assert await story.value("(list (f 1) (let ((l (list 1))) (setf (f l) 2) l) (m 1 2))") == "((1) (2) (1 2))"
    assert (
        await story.value("(list (use-cf) (use-s) (places) (use-i))") == "((:COMPILED 1) (6 2) ((4 9) (4 9) (1 2)) 2)"
    )
    assert await story.value("(handler-case (typed 1.5) (type-error () :type))") == ":TYPE"
    await story.accept("(declaim (ftype (function (t) t) typed))")
    assert await story.value("(typed 1.5)") == "1.5"


async def test_generic_functions(story: Story) -> None:
    await story.accept(
        """(defvar *seen* '()) (defgeneric g (x &key k &allow-other-keys) (:documentation "About g"))
           (defmethod g ((x integer) &key k) (list :integer k))
           (defmethod g :around ((x (eql 3)) &key) (list :around (call-next-method)))
           (defmethod g :before (x &key) (push :before *seen*)) (defmethod g :after (x &key) (push :after *seen*))
           (define-method-combination mc :operator list) (defgeneric h (x) (:method-combination mc))
           (defmethod h mc ((x integer)) :integer) (defmethod h mc ((x number)) :number)
           (define-method-combination long () ((all (:all) :order :most-specific-last))
             `(vector ,@(mapcar (lambda (one) `(call-method ,one)) all)))
           (defgeneric l (x) (:method-combination long)) (defmethod l :all ((x integer)) 1) (defmethod l :all (x) 2)
           (defmethod print-object ((x (eql 'nobody)) stream) (write-string "NOBODY" stream))
           (defmethod documentation ((x (eql 'zork)) (kind (eql 'function))) "About zork")"""
    )
    assert await story.value("(list (g 3 :k 4) *seen*)") == "((:AROUND (:INTEGER 4)) (:AFTER :BEFORE))"
    assert await story.value("(list (h 1) (l 1) (documentation 'g 'function) (documentation 'zork 'function))") == (
        '((:INTEGER :NUMBER) #(2 1) "About g" "About zork")'
    )
    await story.accept("(remove-method #'g (find-method #'g '(:around) '((eql 3))))")
    assert await story.value("(g 3)") == "(:INTEGER NIL)"


async def test_classes_structures_conditions_and_types(story: Story) -> None:
    await story.accept(
        """(defclass c () ((a :initarg :a :accessor a :initform 1) (b :allocation :class :initform 2 :reader b)))
           (defclass d (c) ((e :reader e :initform 5)) (:default-initargs :a 9) (:documentation "About d"))
           (defmethod initialize-instance :after ((d d) &key) (setf (a d) (* 2 (a d))))
           (defstruct (p (:constructor make-p (x &optional (y 2))) (:predicate is-p) (:copier nil))
             x (y 0 :type fixnum))
           (defstruct (q (:include p (y 7)) (:conc-name qq-)) z) (defstruct (l (:type list) :named) a b)
           (define-condition because (error) ((why :initarg :why :reader why))
             (:report (lambda (c s) (format s "because ~A" (why c)))))
           (deftype small (&optional (n 10)) `(integer 0 ,n)) (defconstant +k+ 3) (sb-ext:defglobal *g* 5)"""
    )
    assert await story.value("(let ((d (make-instance 'd))) (list (a d) (b d) (e d)))") == "(18 2 5)"
    assert await story.value(
        "(list (p-y (make-p 1)) (qq-y (make-q)) (is-p (make-q)) (make-l :a 1) (fboundp 'copy-p))"
    ) == ("(2 7 T (L 1 NIL) NIL)")
    assert await story.value("(list (princ-to-string (make-condition 'because :why 3)) +k+ *g*)") == '("because 3" 3 5)'
    assert await story.value("(list (typep 3 'small) (typep 11 'small) (typep 11 '(small 12)))") == "(T NIL T)"
    await story.accept("(defclass c () ((a :initarg :a :accessor a :initform 1) (n :initform :new :reader n)))")
    assert await story.value("(let ((d (make-instance 'd))) (list (a d) (n d) (fboundp 'b)))") == "(18 :NEW NIL)"


async def test_packages(story: Story) -> None:
    await story.accept(
        """(defpackage #:a (:use #:cl) (:export #:f #:x) (:nicknames #:aa) (:shadow #:list))
           (defpackage #:b (:use #:cl) (:import-from #:a #:f) (:local-nicknames (#:z #:a))
             (:shadowing-import-from #:a #:list))
           (in-package #:a) (defun f () (list 1)) (defun list (&rest all) (cons :own all))
           (in-package #:b) (defun g () (cl:list (f) (z:f) (list 2))) (in-package #:w) (defun h () (a:f))
           (setf (get 'h 'functions) (list 'b::g))"""
    )
    assert (
        await story.value("(list (h) (aa:f) (funcall (first (get 'h 'functions))))")
        == "((:OWN 1) (:OWN 1) ((:OWN 1) (:OWN 1) (:OWN 2)))"
    )
    await story.accept("(in-package #:b) (defun k () (z:f))")
    await story.accept("(defpackage #:a (:use #:cl) (:export #:f) (:shadow #:list))")
    assert await story.value("(list (h) (package-nicknames '#:a) (symbol-package 'a::list))") == (
        '((:OWN 1) NIL #<PACKAGE "A">)'
    )
    await story.accept("(setf (get 'h 'functions) nil) (delete-package '#:b)")
    assert await story.value("(find-package '#:b)") == "NIL"


async def test_forms_around_definitions(story: Story) -> None:
    await story.accept(
        """(eval-when (:compile-toplevel :load-toplevel :execute) (defun helper (x) `(list ,x)))
           (progn (defmacro mm () (helper 1)) (locally (declare (optimize (speed 0))) (defun u () (mm))))
           (macrolet ((def (n) `(defun ,n () ',n))) (def aa) (def bb)) (symbol-macrolet ((z 5)) (defun zz () z))
           (flet ((in () 7)) (defun ff () (in)) (defmacro fm () `',(in)))
           (let* ((a 1) (b (+ a 1))) (defun ab () (+ a b)))
           (defmacro defthing (name &rest slots)
             `(progn (defclass ,name () ,(mapcar (lambda (s) `(,s :accessor ,s :initform ',s)) slots))
                     (defmethod parts ((x ,name)) (list ,@(mapcar (lambda (s) `(,s x)) slots)))))
           (defthing foo one two)"""
    )
    assert await story.value("(list (u) (aa) (bb) (zz) (ff) (fm) (ab) (parts (make-instance 'foo)))") == (
        "((1) AA BB 5 7 7 3 (ONE TWO))"
    )
    await story.accept("(defthing foo one three)")
    assert await story.value("(list (parts (make-instance 'foo)) (fboundp 'two))") == "((ONE THREE) NIL)"
    await story.accept("(defun helper (x) `(vector ,x))")
    assert await story.value("(u)") == "#(1)"


async def test_conditional_text(story: Story) -> None:
    await story.accept("#+sbcl (defun f () :sbcl)\n#-sbcl (defun f () :other)")
    await story.accept(
        "; about g\n#-sbcl (nowhere:read)\n(defun g () #+(and sbcl (not nothing)) 1 #-sbcl 2) ; tail\n#|end|#"
    )
    assert await story.value("(list (f) (g))") == "(:SBCL 1)"
    assert story.definitions == (
        "#+sbcl (defun f () :sbcl)\n#-sbcl (defun f () :other)\n\n; about g\n#-sbcl (nowhere:read)\n"
        "(defun g () #+(and sbcl (not nothing)) 1 #-sbcl 2) ; tail\n#|end|#\n"
    )


async def test_deletions(story: Story) -> None:
    await story.accept(
        """(defun f () 1) (defvar *v* 1) (defclass c () ()) (defclass d (c) ()) (defmethod m ((c c)) 1)
           (defmethod m ((d d)) 2) (defmethod print-object ((c c) s) (princ :c s)) (defun gone () 1) (defstruct st a)
           (define-condition k (error) ()) (defclass orphan (nowhere) ()) (defmethod m ((n nowhere)) 3)"""
    )
    await story.accept("(fmakunbound 'f) (makunbound '*v*) (unintern 'gone)")
    assert await story.value("(list (fboundp 'f) (boundp '*v*))") == "(NIL NIL)"
    await story.accept("(remove-method #'m (find-method #'m '() (list (find-class 'd))))")
    assert await story.value("(m (make-instance 'd))") == "1"
    assert await story.refused("(setf (find-class 'c) nil)") == ["class d"]
    await story.accept("(setf (find-class 'd) nil)")
    await story.accept("(setf (find-class 'c) nil)")
    await story.accept("(setf (find-class 'orphan) nil)")
    assert await story.value("(list (find-class 'c nil) (fboundp 'm))") == "(NIL NIL)"
    await story.accept("(setf (find-class 'st) nil) (setf (find-class 'k) nil)")
    assert story.definitions == "(defvar *v* 1)\n"


async def test_what_uses_a_definition_follows_it(story: Story) -> None:
    await story.accept(
        """(defmacro m () 1) (defconstant +k+ 1) (deftype ty () 'integer) (declaim (inline i)) (defun i () 1)
           (define-symbol-macro sm 1) (defun (setf place) (v) (list :function v))
           (defstruct s (a +k+)) (defclass c () ((a :initform (m) :reader a)))
           (defun use () (list (m) +k+ (typep "" 'ty) (i) sm (setf (place) 2) (s-a (make-s)) (a (make-instance 'c))))
           (defmacro outer () '(use)) (defun user () (outer)) (defun dynamic () (let ((*late* 1)) (late)))
           (defun late () (if (boundp '*late*) (symbol-value '*late*) :unbound))"""
    )
    assert await story.value("(user)") == "(1 1 NIL 1 1 (:FUNCTION 2) 1 1)"
    await story.accept(
        """(defmacro m () 2) (defconstant +k+ 2) (deftype ty () 'string) (defun i () 2) (define-symbol-macro sm 2)
           (fmakunbound '(setf place)) (defsetf place () (v) `(list :expander ,v)) (defvar *late*)""",
        "continue",
    )
    assert await story.value("(list (user) (dynamic))") == "((2 2 T 2 2 (:EXPANDER 2) 2 2) 1)"
    await story.accept("(declaim (optimize (safety 0)))")
    await story.accept("(defun m () 3)")
    assert await story.value("(first (user))") == "3"


async def test_a_structure_that_sbcl_questions(story: Story) -> None:
    await story.accept(
        "(defstruct a x) (defstruct (b (:include a)) y) (defvar *a* nil) (defun f () (b-y (make-b :y 1)))"
    )
    await story.accept("(defstruct a x w)", "continue", "continue")
    assert await story.value("(list (f) (a-w (make-b :w 2)))") == "(1 2)"
    await story.accept("(setf *a* (make-a :x 1))")
    assert await story.refused("(defstruct a w x)", "continue", "continue") == ["*a*"]
    await story.accept("(defstruct a w x) (setf *a* (make-a :x 3))", "continue", "continue")
    assert await story.value("(list (f) (a-x *a*))") == "(1 3)"


async def test_installed_by_other_means(story: Story) -> None:
    await story.accept("(defun f () '(1 2)) (defvar *form* (list 'defun 'built '() 1)) (defvar *n* 5)")
    await story.accept("(setf *n* 6) (let ((n 0)) (defun count-up () (incf n)) (defmethod count-up-2 () (incf n)))")
    for forms, culprit in (
        ("(setf (fdefinition 'g) (lambda () 1))", "#'g"),
        ("(setf (symbol-function 'g) #'car)", "#'g"),
        ("(eval (list 'defun 'g () 1))", "#'g"),
        ("(eval *form*)", "#'built"),
        ("(compile 'g '(lambda () 1))", "#'g"),
        ("(setf (macro-function 'g) (lambda (form environment) (declare (ignore form environment)) 1))", "#'g"),
        ("(setf (compiler-macro-function 'f) (lambda (form environment) (declare (ignore environment)) form))", "#'f"),
        ("(ensure-generic-function 'g :lambda-list '(x))", "#'g"),
        ("(setf (car (f)) 9)", "a literal in f"),
        ("(defun g () (load-time-value *n*))", "what LOAD-TIME-VALUE in g may read"),
        ("(let ((n *n*)) (defun g () n))", "what g closes over"),
        ("(defmacro n () *n*) (defun g () (n))", "what macros make of the definition of g"),
        ("(defconstant +n+ *n*)", "the value of +n+"),
        ("(deftype ty () `(integer 0 ,*n*)) (defun g (x) (typep x 'ty))", "what macros make of the definition of g"),
        (
            "(deftype ty (n) `(integer ,n ,*n*)) (defun g (x) (typep x '(ty 0)))",
            "what macros make of the definition of g",
        ),
        ("(defun n () *n*) (defun g () (load-time-value (n)))", "what LOAD-TIME-VALUE in g may read"),
        (
            "(define-setf-expander p () (values '() '() '(v) `(list ,*n* v) 1)) (defun g () (setf (p) 1))",
            "what macros make of the definition of g",
        ),
    ):
        assert culprit in await story.refused(forms)
    assert await story.refused("(count-up)") == ["what count-up closes over", "what count-up-2 () closes over"]
    await story.accept("(eval '(defun g () 1))")
    assert await story.value("(g)") == "1"


async def test_an_earlier_function_in_data(story: Story) -> None:
    await story.accept("(defun f () 1) (defvar *f* #'f) (defmacro m () 1)")
    assert await story.value("(eq *f* #'f)") == "T"
    assert await story.refused("(defun f () 2)") == ["*f*"]
    await story.accept("(defun f () 2) (setf *f* #'f)")
    assert await story.value("(funcall *f*)") == "2"


async def test_packages_of_the_base(keeper: Keeper) -> None:
    base = "(defpackage #:plain (:use)) (defpackage #:long-name (:use #:cl) (:nicknames #:w2))"
    story = await Story.begin(keeper, base, Opening(["W2", "PLAIN"]))
    await story.accept("(defun f () 'plain::car) (in-package #:plain) (cl:defun g () 1)")
    assert await story.value("(list (symbol-package (f)) (plain::g) (package-use-list '#:plain))") == (
        '(#<PACKAGE "PLAIN"> 1 NIL)'
    )
