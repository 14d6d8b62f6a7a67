"""A world with two adapters that can be made to fail, and that tell what was called."""

from __future__ import annotations

from fakes.attempt import evaluate, look

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.world import World

SHORT = 0.3

BASE = """
(defpackage #:parts (:use #:common-lisp) (:export #:*fails* #:*calls* #:*value* #:thread-count #:thread-names))
(in-package #:parts)

(defvar *fails* '() "What fails, and how: ((NAME OPERATION HOW) ...), HOW being :error, :hang or :exit.")
(defvar *calls* '() "What was called of late, the last first: `name operation detail`.")
(defvar *value* 0 "What the part named first keeps.")

(defclass part (jiti:adapter) ((thread :initform nil :accessor thread) (stopping :initform nil :accessor stopping)))

(defun called (part operation &optional (detail ""))
  (let* ((name (jiti:adapter-name part))
         (how (third (find-if (lambda (fail) (and (equal (first fail) name) (eq (second fail) operation))) *fails*))))
    (push (string-right-trim " " (format nil "~A ~(~A ~A~)" name operation detail)) *calls*)
    (ecase how
      ((nil))
      (:error (error "~A is broken" operation))
      (:hang (loop (sleep 0.01)))
      (:exit (sb-ext:exit)))))

(defmethod jiti:quiesce ((part part))
  (called part :quiesce)
  (when (thread part)
    (setf (stopping part) t)
    (sb-thread:join-thread (thread part) :default nil)
    (setf (thread part) nil)))

(defmethod jiti:resume-activity ((part part))
  (called part :resume-activity)
  (unless (thread part)
    (setf (stopping part) nil
          (thread part) (sb-thread:make-thread (lambda () (loop until (stopping part) do (sleep 0.001)))
                                               :name (jiti:adapter-name part)))))

(defmethod jiti:checkpoint ((part part)) (called part :checkpoint) (jiti:adapter-name part))
(defmethod jiti:restore ((part part) checkpoint) (called part :restore checkpoint))
(defmethod jiti:begin-fork ((part part) role) (called part :begin-fork role))
(defmethod jiti:promote ((part part)) (called part :promote))
(defmethod jiti:record-form ((part part) form thunk)
  (declare (ignore form))
  (multiple-value-prog1 (funcall thunk) (called part :record-form)))
(defmethod jiti:observe ((part part) (what (eql :data)))
  (called part :observe)
  (when (equal (jiti:adapter-name part) "first") (list (cons :value *value*))))
(defmethod jiti:export-world ((part part) (what (eql :data)))
  (called part :export-world)
  (when (equal (jiti:adapter-name part) "first") (list (cons :value *value*))))
(defmethod jiti:import-world ((part part) (what (eql :data)) items)
  (called part :import-world)
  (setf *value* (rest (assoc :value items))))

(make-instance 'part :name "first")
(make-instance 'part :name "second")

(defun thread-names ()
  (sort (mapcar #'sb-thread:thread-name (remove sb-thread:*current-thread* (sb-thread:list-all-threads))) #'string<))
"""


async def set_fails(world: World, fails: str) -> World:
    """The world in which other things fail from here on. Nothing has been called there yet."""
    attempt = await evaluate(world, f"(setf parts:*calls* '() parts:*fails* '{fails})")
    return await attempt.candidate.accept(world.revision + 1, attempt.generation)


async def calls(process: World | Candidate) -> list[str]:
    """What was called in `process`, in order; last the fork of this look."""
    return (await look(process, "(reverse parts:*calls*)"))[2:-2].split('" "')


async def goes_on(world: World) -> None:
    """The world is what it was: it answers, and can be tried."""
    attempt = await evaluate(world, "(+ 1 2)")
    assert attempt.value == "3"
    await attempt.candidate.close()
    await world.restore()


async def export(process: World | Candidate) -> Export | NotReconstructible:
    runner = await process.runner()
    exported = await runner.export()
    await runner.close()
    return exported


LOOK = ["first quiesce", "second quiesce", "first begin-fork runner", "second begin-fork runner"]


async def open_parts(keeper: Keeper, fails: str = "()") -> World:
    """An accepted world with two adapters of which `fails` tells what fails."""
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"]))
    assert await world.load_base("base.lisp", f"{BASE}\n(setf *fails* '{fails})") is None
    await world.adopt(0, 0)
    return world
