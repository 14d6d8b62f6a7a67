"""The ways in which an attempt can end, well and badly, for tests that take them again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes.attempt import Attempt, evaluate, look

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.messages import Checked, Dropped, Invalid, Paused, Repaired, Resumed, Stale, Value
from jiti_tui.kernel.world import World

Way = Callable[[World, int], Awaitable[World]]
"""Takes the world and a number that makes the attempt another one each time; returns the world that there is then."""

SHORT = 0.05
"""The time limit of what never ends, in seconds."""

FIVEAM = Path("/usr/share/common-lisp/source/fiveam")

BASE = """
(in-package #:world)

(make-instance 'jiti:directory-adapter :name "site")

(defun put (path text)
  (with-open-file (out (jiti:world-file "site" path) :direction :output :if-exists :supersede)
    (princ text out)))

(defun copies ()
  (length (directory (merge-pathnames "../*/" (truename "/proc/self/cwd/")))))

(defclass idler (jiti:adapter)
  ((thread :initform nil :accessor thread)
   (stopping :initform nil :accessor stopping)))

(defmethod jiti:quiesce ((idler idler))
  (when (thread idler)
    (setf (stopping idler) t)
    (sb-thread:join-thread (thread idler))
    (setf (thread idler) nil)))

(defmethod jiti:resume-activity ((idler idler))
  (setf (stopping idler) nil
        (thread idler) (or (thread idler)
                           (sb-thread:make-thread (lambda ()
                                                    (loop until (stopping idler) do (sleep 0.001)))))))

(make-instance 'idler :name "idler")
"""
"""A world with files, and with a thread of its own."""


async def accepted(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun f (x) (+ x {number})) (setf (jiti:value :n) {number})")
    assert attempt.value == str(number)
    assert await check(attempt, f"(= (f 1) {number + 1})") == Checked(ok=True, detail=f"(f 1) => {number + 1}")
    return await attempt.candidate.accept(world.revision + 1, world.generation)


async def repaired_and_accepted(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(fmakunbound 'missing) (setf (jiti:value :n) (missing {number}))")
    retry = attempt.restart("retry").id
    await attempt.repair("(defun missing (n) (* 2 n))")
    await attempt.go_on(retry)
    assert attempt.value == str(2 * number)
    return await attempt.candidate.accept(world.revision + 1, attempt.generation)


async def accepted_with_files(world: World, number: int) -> World:
    """Of two repairs one is dropped: its file is not among those that are promoted."""
    attempt = await evaluate(world, f'(put "file" {number}) (setf (jiti:value :n) (error "e"))')
    await attempt.repair(f'(put "kept" {number})')
    await attempt.repair('(put "dropped" 1)')
    reply = await attempt.candidate.resume(attempt.generation, "0/2", (), 10)
    assert isinstance(reply, Dropped)
    attempt.outcome = Stale(reply.generation)
    await attempt.go_on("0/0", str(number))
    exported = await attempt.candidate.export()
    assert isinstance(exported, Export)
    text = str(number).encode()
    assert exported.files == {"site/file": text, "site/kept": text}
    return await attempt.candidate.accept(world.revision + 1, attempt.generation, exported.files)


async def dropped(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun g () {number}) (defvar *v* (make-array 1000)) (g)")
    assert attempt.value == str(number)
    await attempt.candidate.close()
    return world


async def broken_invariant(world: World, number: int) -> World:
    attempt = await evaluate(world, f"(defun f (x) (- x {number}))")
    assert not (await check(attempt, "(>= (f 1) 1000)")).ok
    await attempt.candidate.close()
    return world


async def abandoned_repair(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(error "number {number}")')
    await attempt.repair('(error "in the repair")')
    assert attempt.pause.level == 1
    await attempt.candidate.abandon(attempt.generation)
    return world


async def repair_that_is_dropped(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(list {number} (error "no"))')
    await attempt.repair("(defun h () 1)")
    reply = await attempt.candidate.resume(attempt.generation, "0/2", (), 10)
    assert isinstance(reply, Dropped)
    await attempt.candidate.close()
    return world


async def trials(world: World, number: int) -> World:
    """One gives a value, one ends its process, one never ends, one is killed where it stands."""
    attempt = await evaluate(
        world,
        f"""(restart-case (list {number} (error "e"))
              (give () 1) (die () (sb-ext:exit :abort t)) (stay () (loop)) (wait () (sleep 1000)))""",
    )

    async def tried(restart: str) -> Value | Paused | Repaired:
        trial = await attempt.candidate.trial()
        try:
            repaired = await trial.repair(attempt.generation, "(defun helper () 1)", 10)
            assert isinstance(repaired, Repaired)
            assert isinstance(await trial.resume(repaired.generation, attempt.restart(restart).id, (), SHORT), Resumed)
            return await trial.outcome()
        finally:
            trial.kill()

    given, died, stayed = await asyncio.gather(*map(tried, ("give", "die", "stay")), return_exceptions=True)
    assert isinstance(given, Value)
    assert isinstance(died, WorkerDied)
    assert isinstance(stayed, Paused)
    trial = await attempt.candidate.trial()
    assert isinstance(await trial.resume(attempt.generation, attempt.restart("wait").id, (), 10), Resumed)
    trial.kill()
    await attempt.candidate.close()
    return world


async def proposals_side_by_side(world: World, number: int) -> World:
    one, other = await evaluate(world, "(defun f (x) x)"), await evaluate(world, f'(put "file" {number})')
    await one.candidate.close()
    await other.candidate.close()
    return world


async def files_of_a_dropped_attempt(world: World, number: int) -> World:
    attempt = await evaluate(world, f'(put "junk" {number})')
    await attempt.candidate.close()
    await world.restore()
    assert "junk" not in await look(world, '(jiti:world-files "site")')
    return world


async def thread_left_behind(world: World, _: int) -> World:
    attempt = await evaluate(world, "(sb-thread:make-thread (lambda () (loop (sleep 1))))")
    assert attempt.pause.type == "JITI:ACTIVITY-LEFT"
    await attempt.candidate.close()
    return world


async def suite(world: World, _: int) -> World:
    attempt = await evaluate(world, "(defun f (x) x)")
    runner = await attempt.candidate.runner()
    checks = await runner.index_checks("goal", "goals.lisp", "(suite fake-tests:all)")
    assert isinstance(checks, tuple)
    for name, seconds in (("half-is-half", 2.0), ("leaves", 2.0), ("never-ends", SHORT)):
        text = next(check.text for check in checks if check.name == f"all: {name}")
        process = await attempt.candidate.runner()
        said = await process.check("goal", name, file="goals.lisp", line=1, text=text, seconds=seconds)
        assert said.ok == (name == "half-is-half"), said
        await process.close()
    await runner.close()
    await attempt.candidate.close()
    return world


async def endless(world: World, _: int) -> World:
    attempt = await evaluate(world, "(loop)", seconds=SHORT)
    assert attempt.pause.type == "JITI:TIME-LIMIT"
    await attempt.candidate.close()
    return world


async def out_of_stack(world: World, _: int) -> World:
    attempt = await evaluate(world, "(defun deep (n) (+ 1 (deep (1+ n)))) (deep 0)")
    assert attempt.pause.type == "SB-KERNEL::CONTROL-STACK-EXHAUSTED"
    await attempt.candidate.close()
    return world


async def out_of_heap(world: World, _: int) -> World:
    attempt = await evaluate(world, "(make-array 100000000)")
    assert attempt.pause.type == "SB-KERNEL::HEAP-EXHAUSTED-ERROR"
    await attempt.candidate.close()
    return world


async def leaving(world: World, _: int) -> World:
    attempt = await evaluate(world, "(sb-ext:exit)")
    assert attempt.pause.type == "JITI:EVALUATION-LEFT"
    await attempt.candidate.abandon(attempt.generation)
    return world


async def death(world: World, _: int) -> World:
    with pytest.raises(WorkerDied):
        await evaluate(world, "(sb-ext:exit :abort t)")
    return world


async def unreadable(world: World, _: int) -> World:
    attempt = await evaluate(world, "(defun f (x")
    assert isinstance(attempt.outcome, Invalid)
    await attempt.candidate.close()
    return world


async def refused(world: World, _: int) -> World:
    attempt = await evaluate(world, '(open #p"/etc/passwd")')
    assert isinstance(attempt.outcome, Invalid)
    await attempt.candidate.close()
    return world


async def stale(world: World, _: int) -> World:
    assert isinstance(await world.attempt(world.generation + 1, 1), Stale)
    return world


async def output(world: World, _: int) -> World:
    attempt = await evaluate(world, "(dotimes (i 30000) (print i))")
    assert attempt.value == "NIL"
    await attempt.candidate.close()
    return world


async def not_reconstructible(world: World, _: int) -> World:
    attempt = await evaluate(world, "(setf (jiti:value :f) (lambda () 1))")
    runner = await attempt.candidate.runner()
    assert isinstance(await runner.export(), NotReconstructible)
    await runner.close()
    await attempt.candidate.close()
    return world


async def program_left_behind(world: World, _: int) -> World:
    attempt = await evaluate(world, '(sb-ext:run-program "/bin/sleep" (list "1000") :wait nil)')
    assert not isinstance(attempt.outcome, Paused)
    await attempt.candidate.close()
    return world


FAILING: list[Way] = [
    *(dropped, broken_invariant, abandoned_repair, repair_that_is_dropped, trials, endless, out_of_stack, out_of_heap),
    *(leaving, death, unreadable, refused, stale, output, not_reconstructible, program_left_behind),
    *(proposals_side_by_side, files_of_a_dropped_attempt, thread_left_behind, *([suite] if FIVEAM.is_dir() else [])),
]
SUCCEEDING: list[Way] = [*[accepted] * 8, repaired_and_accepted, accepted_with_files]


async def check(attempt: Attempt, form: str) -> Checked:
    runner = await attempt.candidate.runner()
    verdict = await runner.check("goal", "g", file="goals.lisp", line=1, text=f'(goal "g" {form})', seconds=2)
    await runner.close()
    return verdict
