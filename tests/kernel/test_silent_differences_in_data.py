"""Data that could come back different without a word: hash tables above all. They come back the same, or are named."""

from __future__ import annotations

import pytest
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper


@pytest.fixture
async def story(keeper: Keeper) -> Story:
    return await Story.begin(keeper, opening=Opening(["W"], allow=["SB-EXT"]))


@pytest.mark.parametrize("test", ["eql", "equal", "equalp"])
async def test_the_order_of_what_comes_into_a_table_later(story: Story, test: str) -> None:
    await story.accept(
        f"""(defvar *h* (make-hash-table :test '{test})) (setf (jiti:value :h) (make-hash-table :test '{test}))
            (defun keys (h) (loop for key being the hash-keys of h collect key))
            (defun add (h) (dotimes (i 4) (setf (gethash (+ 20 i) h) i)) (keys h))
            (dolist (h (list *h* (jiti:value :h))) (dotimes (i 9) (setf (gethash i h) i)))
            (remhash 3 *h*) (remhash 6 *h*)"""
    )
    assert await story.value("(add *h*)") == "(0 1 2 4 5 7 8 20 21 22 23)"
    await story.accept("(remhash 5 (jiti:value :h)) (setf (gethash 30 *h*) 1)")
    assert await story.value("(list (add *h*) (add (jiti:value :h)))") == (
        "((0 1 2 4 5 7 8 30 20 21 22 23) (0 1 2 3 4 6 7 8 20 21 22 23))"
    )


async def test_keys_that_were_changed_in_their_table(story: Story) -> None:
    await story.accept(
        """(defvar *k* (list 1)) (defvar *h* (make-hash-table :test 'equal))
           (setf (gethash *k* *h*) :x (gethash "a" *h*) :y)"""
    )
    await story.accept("(setf (first *k*) 2)")
    assert await story.value("(list (gethash '(1) *h*) (gethash '(2) *h*) (gethash *k* *h*))") == "(NIL :X :X)"
    assert await story.refused("(setf (gethash (list 3) *h*) :z (first *k*) 3)") == ["*h*"]
    await story.accept("(remhash *k* *h*) (setf (first *k*) 3 (gethash *k* *h*) :x (gethash (list 3) *h*) :z)")
    assert await story.value("(list (hash-table-count *h*) (gethash *k* *h*))") == "(2 :Z)"


async def test_tests_that_are_defined_anew(story: Story) -> None:
    await story.accept(
        """(defvar *modulus* 10) (defun reduced (n) (mod n 10)) (defun same (a b) (= (reduced a) (reduced b)))
           (defun hash (n) (sxhash (reduced n))) (sb-ext:define-hash-table-test same hash)
           (defvar *h* (make-hash-table :test 'same)) (setf (gethash 3 *h*) :x)"""
    )
    assert await story.value("(list (gethash 13 *h*) (gethash 103 *h*))") == "(:X :X)"
    await story.accept("(defun reduced (n) (mod n 100))")
    assert await story.value("(list (gethash 13 *h*) (gethash 103 *h*))") == "(NIL :X)"
    anew = "(defun same (a b) (= a b)) (defun hash (n) (sxhash n))"
    assert await story.refused(anew) == ["*h*"]
    await story.accept(
        f"""{anew} (let ((old *h*)) (setf *h* (make-hash-table :test 'same))
                     (maphash (lambda (key value) (setf (gethash key *h*) value)) old))"""
    )
    assert await story.value("(list (gethash 3 *h*) (gethash 103 *h*))") == "(:X NIL)"
    assert await story.refused("(defun hash (n) (1+ (sxhash n)))") == ["*h*"]


async def test_the_version_of_a_pathname(story: Story) -> None:
    await story.accept('(defvar *p* (list (make-pathname :name "q" :version 3) (make-pathname :type :wild) #p"a.b"))')
    assert await story.value("(mapcar #'pathname-version *p*)") == "(3 NIL :NEWEST)"


async def test_symbols_of_a_package_that_has_another_name_here(story: Story) -> None:
    await story.accept(
        """(defpackage #:a (:use #:cl)) (sb-ext:add-package-local-nickname '#:z '#:a)
           (defvar *s* 'a::foo) (setf (jiti:value 'a::key) (list 'a::bar))"""
    )
    assert await story.value("(list (symbol-name *s*) (jiti:value 'z::key))") == '("FOO" (Z::BAR))'
    await story.accept("(sb-ext:remove-package-local-nickname '#:z)")
    assert await story.value("(list *s* (jiti:value 'a::key))") == "(A::FOO (A::BAR))"


async def test_functions_are_compiled_whatever_a_form_before_has_asked_for(story: Story) -> None:
    await story.accept("(setf sb-ext:*evaluator-mode* :interpret) (defun f () 1)")
    assert await story.value("(compiled-function-p #'f)") == "T"
