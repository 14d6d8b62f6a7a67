"""Adapters that a user wrote: when each function of the protocol is called, and what is left where one fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.attempt import evaluate, look

from jiti_tui.errors import ForkFailed, WorkerError
from jiti_tui.kernel import registry
from jiti_tui.kernel import world as world_module
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Failed
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

OpenWorld = Callable[..., Awaitable[World]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORK_SECONDS", SHORT)
    monkeypatch.setattr(world_module, "FORK_SECONDS", SHORT)


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(fails)` opens an accepted world with two adapters of which `fails` tells what fails."""

    async def start(fails: str = "()") -> World:
        world = await keeper.fork_world()
        await world.open(Opening(["WORLD"]))
        assert await world.load_base("base.lisp", f"{BASE}\n(setf *fails* '{fails})") is None
        await world.adopt(0, 0)
        return world

    return start


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


# When each is called


async def test_the_calls_in_an_accepted_attempt(open_world: OpenWorld) -> None:
    world = await open_world()
    await world.restore()
    attempt = await evaluate(world, "(setf parts:*calls* '())")
    assert await calls(attempt.candidate) == ["first record-form", "second record-form", *LOOK]
    accepted = await attempt.candidate.accept(1, attempt.generation)
    assert (await calls(accepted))[2:] == [
        *("first quiesce", "second quiesce"),  # of the look above
        *("first promote", "second promote", "first resume-activity", "second resume-activity"),
        *LOOK,
    ]


async def test_the_calls_in_a_world_whose_attempt_is_dropped(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), "()")
    attempt = await evaluate(world, "1")
    frozen = await calls(world)
    stop = ["first quiesce", "second quiesce"]
    assert frozen[:2] == ["first record-form", "second record-form"]
    assert frozen[2:] == [
        *("first promote", "second promote", "first resume-activity", "second resume-activity"),
        *(*stop, "first checkpoint", "second checkpoint", *stop, *LOOK),
    ]
    await attempt.candidate.close()
    await world.restore()
    assert (await calls(world))[len(frozen) - 2 :] == [
        *("second restore second", "first restore first", "first resume-activity", "second resume-activity"),
        *LOOK,
    ]


async def test_candidates_side_by_side_share_a_checkpoint(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), "()")
    one, two = await evaluate(world, "1"), await evaluate(world, "2")
    assert [call for call in await calls(world) if "checkpoint" in call or "restore" in call] == [
        "first checkpoint",
        "second checkpoint",
    ]
    await one.candidate.close()
    accepted = await two.candidate.accept(2, two.generation)
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]


async def test_what_an_adapter_keeps_comes_back(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, "(setf parts:*value* 7)")
    exported = await export(attempt.candidate)
    assert isinstance(exported, Export)
    assert '(adapter "first" :value) 7' in exported.data
    fresh = await open_world()
    assert await fresh.import_(exported.definitions, exported.data, {}) is None
    assert await look(fresh, "parts:*value*") == "7"


# Threads


async def test_threads_run_in_an_idle_accepted_world_alone(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, "(parts:thread-names)")
    assert attempt.value == "NIL"
    accepted = await attempt.candidate.accept(1, attempt.generation)
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]
    attempt = await evaluate(accepted, "(parts:thread-names)")
    assert attempt.value == "NIL"
    assert (await calls(accepted))[-6:-4] != ["first resume-activity", "second resume-activity"]
    await attempt.candidate.close()
    await accepted.restore()
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]


async def test_a_thread_that_signals_ends_alone_and_the_world_tells_of_it(open_world: OpenWorld) -> None:
    world = await open_world()
    base = """
    (in-package #:parts)
    (defmethod jiti:resume-activity ((part part))
      (setf (thread part) (sb-thread:make-thread (lambda () (error "no paper")) :name (jiti:adapter-name part)))
      (sb-thread:join-thread (thread part) :default nil))
    """
    assert await world.load_base("failing.lisp", base) is None
    await world.restore()
    assert world.worker.troubles == [f"The thread {name} ended: SIMPLE-ERROR: no paper" for name in ("first", "second")]
    world.worker.troubles.clear()
    await goes_on(world)


# One that fails


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
@pytest.mark.parametrize("operation", ["quiesce", "checkpoint"])
async def test_a_failure_before_the_fork_begins_no_attempt(open_world: OpenWorld, operation: str, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :{operation} :{how}))')
    with pytest.raises(ForkFailed, match=f"The adapter second failed in {operation}: "):
        await world.attempt(world.generation, 1)
    if operation == "quiesce":
        with pytest.raises(ForkFailed, match="The adapter second failed in quiesce: "):
            await world.runner()
        return
    called = await calls(world)
    assert called[called.index("first checkpoint") :] == [
        *("first checkpoint", "second checkpoint", "first restore first"),
        *("first resume-activity", "second resume-activity", *LOOK),
    ]


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_restore_is_told_when_all_have_been_tried(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :restore :{how}))')
    attempt = await evaluate(world, "1")
    await attempt.candidate.close()
    with pytest.raises(WorkerError, match="The adapter second failed in restore: "):
        await world.restore()
    assert "first restore first" in await calls(world)


async def test_threads_that_do_not_start_are_told_and_the_world_goes_on(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), '(("first" :resume-activity :error))')
    trouble = "The adapter first failed in resume-activity: SIMPLE-ERROR: RESUME-ACTIVITY is broken"
    assert world.worker.troubles == [trouble]
    attempt = await evaluate(world, "(setf parts:*fails* '())")
    accepted = await attempt.candidate.accept(2, attempt.generation)
    assert accepted.worker.troubles == []
    await goes_on(accepted)


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_fork_that_an_adapter_fails_in_serves_nothing(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("first" :begin-fork :{how}))')
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    for _ in range(2):
        with pytest.raises(WorkerError, match="The candidate refuses: The adapter first failed in begin-fork: "):
            await candidate.evaluate(world.generation, "1", SHORT)
    await candidate.close()
    runner = await world.runner()
    with pytest.raises(WorkerError, match="The runner refuses: The adapter first failed in begin-fork: "):
        await runner.inspect("1", SHORT)


@pytest.mark.parametrize("how", ["error", "hang"])
async def test_a_failure_to_record_a_form_gives_the_attempt_up(open_world: OpenWorld, how: str) -> None:
    world = await open_world(f'(("second" :record-form :{how}))')
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    with pytest.raises(WorkerError, match="The adapter second failed in record-form: "):
        await candidate.evaluate(world.generation, "(defvar *x* 1)", SHORT)
    with pytest.raises(WorkerError, match="The adapter second failed in record-form: "):
        await candidate.runner()
    await candidate.close()
    await world.restore()
    assert await look(world, "(boundp '*x*)") == "NIL"


async def test_a_condition_in_a_form_is_none_of_record_form(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(warn "careful") (error "in the form")')
    assert (attempt.pause.condition, attempt.pause.warnings) == ("in the form", ("careful",))
    await attempt.resume("use-value", "7")
    assert attempt.value == "7"


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_export_rejects_the_attempt(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :export-world :{how}))')
    runner = await world.runner()
    exported = await runner.export(SHORT)
    assert isinstance(exported, NotReconstructible)
    assert exported.reason.startswith("The adapter second failed in export-world: ")
    await goes_on(world)


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_observe_is_told(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("first" :observe :{how}))')
    runner = await world.runner()
    with pytest.raises(WorkerError, match="The adapter first failed in observe: "):
        await runner.observe(100, SHORT)
    await goes_on(world)


async def test_a_failure_to_import_is_told(open_world: OpenWorld) -> None:
    exported = await export(await open_world())
    assert isinstance(exported, Export)
    world = await open_world('(("first" :import-world :error))')
    failed = await world.import_(exported.definitions, exported.data, {})
    assert isinstance(failed, Failed)
    assert "The adapter first failed in import-world: SIMPLE-ERROR: IMPORT-WORLD is broken" in failed.reason


async def test_a_candidate_that_cannot_be_promoted_is_no_world(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, """(setf parts:*fails* '(("second" :promote :error)))""")
    with pytest.raises(WorkerError, match="The adapter second failed in promote: "):
        await attempt.candidate.accept(1, attempt.generation)
    await attempt.candidate.close()
    await world.restore()
    await goes_on(world)


async def test_what_is_no_list_of_places_is_a_failure(open_world: OpenWorld) -> None:
    world = await open_world()
    bad = "(in-package #:parts) (defmethod jiti:export-world ((part part) (what (eql :data))) '((1 2) 3))"
    assert await world.load_base("bad.lisp", bad) is None
    exported = await export(world)
    assert isinstance(exported, NotReconstructible)
    assert exported.reason.startswith("The adapter first failed in export-world: it gave no list of (PLACE . VALUE)")


# Making one


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("(make-instance 'jiti:adapter)", "An adapter needs a :NAME, a string, not NIL."),
        ('(make-instance \'jiti:adapter :name "first")', 'There is an adapter named "first" already.'),
        ('(make-instance \'jiti:directory-adapter :name "../x")', "A directory adapter has a name of a-z"),
    ],
)
async def test_an_adapter_needs_a_name_of_its_own(open_world: OpenWorld, form: str, reason: str) -> None:
    failed = await (await open_world()).load_base("more.lisp", form)
    assert failed is not None
    assert failed.reason.startswith(reason)


async def test_a_proposal_makes_no_adapter(open_world: OpenWorld) -> None:
    attempt = await evaluate(await open_world(), '(make-instance \'jiti:adapter :name "new")')
    assert attempt.pause.condition == "An adapter is made by base code, where a fresh process finds it too."
