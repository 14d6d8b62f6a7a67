"""The core of a revision's definitions: what starts from it is as if the source had been evaluated, or is not used."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.cache import KEPT_CORES
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.definitions_core import DefinitionsCore
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Inspected
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.world import World

OPENING = Opening(["WORLD"])
DEFINITIONS = """
(in-package :world)
(defpackage :world-parts (:use :common-lisp) (:export #:part) (:documentation "Parts."))
(declaim (optimize (debug 3) (speed 0)))
(declaim (inline twice) (ftype (function (number) number) twice))
(defun twice (x) "Two \\"times\\" X." (* 2 x))
(defmacro with-two ((name) &body body) `(let ((,name '(2 "two" 2.5d0 #\\2))) ,@body))
(defun literals ()
  (list "same" "same" '(1 "a") '(1 "a") 123456789012345678901 123456789012345678901 1.5d0 1.5d0 #(1 2)))
(defun shared () '(#1=("x" y) #1# . #1#))
(let ((count 0) (names (list "a" "b"))) (defun counted () (list (incf count) names)))
(defstruct point (x 0 :type fixnum) (y 0))
(defclass shape () ((name :initarg :name :initform "none" :accessor name-of) (all :allocation :class :initform '(1))))
(defclass round-shape (shape) () (:default-initargs :name "round"))
(define-condition trouble (error) ((what :initarg :what)) (:report (lambda (c s) (declare (ignore c)) (format s "T"))))
(defgeneric area (shape) (:documentation "Its area.") (:method-combination +))
(defmethod area + ((shape round-shape)) 3)
(defmethod print-object ((shape shape) stream) (format stream "#<shape>"))
(defconstant +limit+ 5)
(defparameter *made* (make-point :x 1))
(defvar *table* (make-hash-table :test 'equal))
(deftype small () '(integer 0 9))
(define-symbol-macro now (first *list*))
(defun (setf first-of) (value list) (setf (first list) value))
(define-modify-macro doublef () twice)
(define-compiler-macro counted () '(list 0))
(setf (documentation 'shared 'function) "Shared conses.")
(in-package :world-parts)
(defun part () (world::with-two (two) (list two (world::twice 1) (load-time-value (list 1)))))
"""
ASK = """(list (literals) (shared) (world-parts:part) (point-x *made*)
  (name-of (make-instance 'round-shape)) (area (make-instance 'round-shape)))"""

Start = Callable[[Path], Awaitable[World]]
Wait = Callable[..., Awaitable[None]]


@pytest.fixture(autouse=True)
def cache(own_cache: Path) -> Path:
    return own_cache


@pytest.fixture
async def start(sbcl: Sbcl) -> AsyncIterator[Start]:
    """`await start(core)` is a process that has been forked from a keeper of that core."""
    keepers = []

    async def fork(core: Path) -> World:
        async def given(_rebuild: bool) -> Path:
            return core

        keepers.append(await Keeper.start(256, sbcl=sbcl, core=given))
        return await keepers[-1].fork_world()

    yield fork
    for keeper in keepers:
        await keeper.close()


async def build(sbcl: Sbcl, definitions: str, sandbox: Sandbox | None = None) -> DefinitionsCore:
    base = await ensure_core(sbcl)
    core = DefinitionsCore.of(sbcl, "the kernel", base, OPENING, definitions)
    await core.build(sbcl, sandbox or await probe_sandbox(), base, OPENING, definitions, 256)
    return core


async def test_a_world_from_it_is_as_if_the_source_had_been_evaluated(sbcl: Sbcl, start: Start) -> None:
    evaluated = await start(await ensure_core(sbcl))
    await evaluated.open(OPENING)
    assert await evaluated.import_(DEFINITIONS, "", {}) is None
    said = await (await evaluated.runner()).inspect(ASK, 10)
    exported = await (await evaluated.runner()).export()
    assert isinstance(exported, Export)
    assert isinstance(said, Inspected)
    # What is written is what the store has.
    core = await build(sbcl, exported.definitions)
    path = core.find()
    assert path is not None
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o644, 0o700)
    compiled = await start(path)
    assert await compiled.import_changes(exported.data, {}, ()) is None
    assert await (await compiled.runner()).inspect(ASK, 10) == said
    again = await (await compiled.runner()).export()
    assert isinstance(again, Export)
    for name in ("definitions", "data", "state", "definition_index"):
        assert getattr(again, name) == getattr(exported, name), name
    assert again == exported


async def test_without_a_sandbox(sbcl: Sbcl, start: Start) -> None:
    core = await build(sbcl, "(in-package :world)\n(defun f () 7)\n", Sandbox(None, "The test wants none."))
    path = core.find()
    assert path is not None
    assert await (await (await start(path)).runner()).inspect("(f)", 10) == Inspected("7", "")


async def test_everything_that_decides_is_in_its_name(sbcl: Sbcl, cache: Path) -> None:
    base = await ensure_core(sbcl)

    def key(
        sbcl: Sbcl = sbcl, kernel: str = "k", base: Path = base, opening: Opening = OPENING, text: str = "(f)"
    ) -> str:
        return DefinitionsCore.of(sbcl, kernel, base, opening, text).key

    assert key() == key()
    others = [
        key(sbcl=replace(sbcl, build_id="other")),
        key(kernel="other"),
        key(base=cache / "base-0.core"),
        key(opening=Opening(["WORLD", "MORE"])),
        key(opening=replace(OPENING, allow=["SB-EXT"])),
        key(text="(f) "),
    ]
    assert len({key(), *others}) == 1 + len(others)


async def test_a_damaged_one_is_removed_and_built_again(sbcl: Sbcl, cache: Path) -> None:
    core = await build(sbcl, "(in-package :world)\n(defun f () 7)\n")
    path = core.find()
    assert path is not None
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    assert core.find() is None
    assert not list(cache.glob("definitions-*"))
    os.truncate((await build(sbcl, "(in-package :world)\n(defun f () 7)\n")).find() or path, 1000)
    assert core.find() is None


def test_one_that_cannot_be_read_is_as_if_there_were_none(tmp_path: Path) -> None:
    core = DefinitionsCore(tmp_path, "key")
    unreadable = tmp_path / "definitions-key-0.core"
    unreadable.mkdir()
    assert core.path() == unreadable
    assert not core.is_whole(unreadable)
    assert core.find() is None
    assert not core.is_whole(tmp_path / "definitions-key-1.core")


@pytest.mark.parametrize(
    ("definitions", "reason"),
    [
        ("(in-package :world)\n(defun f (", "ends inside the form"),
        ("(in-package :world)\n(defvar *x* (no-such-function))", "NO-SUCH-FUNCTION"),
    ],
)
async def test_what_does_not_evaluate_leaves_nothing(sbcl: Sbcl, cache: Path, definitions: str, reason: str) -> None:
    with pytest.raises(WorkerError, match=reason):
        await build(sbcl, definitions)
    assert not list(cache.glob("definitions-*"))


async def test_a_build_that_is_cut_off_leaves_nothing(sbcl: Sbcl, cache: Path, wait_until: Wait) -> None:
    building = asyncio.create_task(build(sbcl, "(in-package :world)\n(loop)"))
    await wait_until(lambda: any(cache.glob("definitions-*.tmp/request")))
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await building
    assert not list(cache.glob("definitions-*"))


async def test_only_those_that_were_used_last_are_kept(sbcl: Sbcl, cache: Path) -> None:
    for number in range(KEPT_CORES + 1):
        old = cache / f"definitions-{number}-0.core"
        old.touch()
        os.utime(old, (number, number))
    (cache / "definitions-9.0123.tmp").mkdir()
    await build(sbcl, "(in-package :world)\n(defun f () 7)\n")
    left = {path.name for path in cache.glob("definitions-*")}
    assert len(left) == KEPT_CORES
    assert {"definitions-2-0.core", "definitions-3-0.core", "definitions-4-0.core"} < left
