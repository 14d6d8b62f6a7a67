"""Many attempts one after the other, half of them failing in every way there is: nothing of them is left over.

`JITI_ATTEMPTS=10000` in the environment makes it as many; the figures are printed with `pytest -s`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from fakes.attempt import Attempt, evaluate, look

from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.base_core import ensure_base_core
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Checked, Dropped, Invalid, Paused, Repaired, Resumed, Stale, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import find_sbcl
from jiti_tui.kernel.world import World

Wait = Callable[[Callable[[], bool]], Awaitable[None]]
IsRunning = Callable[[int], bool]
Way = Callable[[World, int], Awaitable[World]]

ATTEMPTS = int(os.environ.get("JITI_ATTEMPTS", "400"))
SHORT = 0.05
"""The time limit of what never ends, in seconds."""

FIVEAM = Path("/usr/share/common-lisp/source/fiveam")
SUITES = Path(__file__).parents[1] / "fakes" / "suites"

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

WORLD_MB = 120
"""What the world's process may hold after all: SBCL, the kernel and the nursery are 40 MB of it."""


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


def descriptors(pid: int | str) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descendants(pid: int) -> set[int]:
    """All processes below one, the dead that nobody has reaped too."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
            children = {int(child) for child in (task / "children").read_text(encoding="ascii").split()}
            waiting += children - found
            found |= children
    return found


@pytest.fixture
async def keeper() -> AsyncIterator[Keeper]:
    """A keeper whose processes have the system "fake" and its tests, where FiveAM is installed."""
    sbcl, sandbox = await find_sbcl(), await probe_sandbox()

    async def core(rebuild: bool) -> Path:
        return (await ensure_base_core(sbcl, sandbox, ("fake",), SUITES, rebuild=rebuild)).path

    keeper = await Keeper.start(256, sbcl=sbcl, sandbox=sandbox, core=core if FIVEAM.is_dir() else None)
    yield keeper
    await keeper.close()


@pytest.mark.slow
@pytest.mark.timeout(120 + ATTEMPTS // 5)
async def test_nothing_is_left_of_many_attempts(keeper: Keeper, wait_until: Wait, is_running: IsRunning) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT", "SB-THREAD"]))
    assert await world.load_base("base.lisp", BASE) is None
    await world.adopt(0, 0)
    await world.restore()
    for number, way in enumerate(FAILING):
        world = await way(await accepted(world, number), number)
    own = descriptors("self")
    for number in range(ATTEMPTS // 2):
        world = await SUCCEEDING[number % len(SUCCEEDING)](world, number)
        world = await FAILING[number % len(FAILING)](world, number)
    assert await look(world, "(integerp (f 1))") == "T"
    # The dead process of the latest attempt is reaped when the next one begins.
    await wait_until(lambda: len(descendants(keeper.worker.pid)) <= 2)
    await wait_until(lambda: [pid for pid in descendants(keeper.worker.pid) if is_running(pid)] == [world.worker.pid])
    await wait_until(lambda: descriptors("self") <= own)
    assert await look(world, "(copies)") in ("2", "3")  # the world's, this look's, and the last one's
    assert await look(world, "(length (sb-thread:list-all-threads))") == "1"
    # The keeper has more open while it looks for what the last look may have left.
    await wait_until(lambda: descriptors(world.worker.pid) == descriptors(keeper.worker.pid))
    size = megabytes(world.worker.pid)
    print(
        f"{ATTEMPTS} attempts: the world holds {size:.0f} MB and {descriptors(world.worker.pid)} descriptors, ", end=""
    )
    print(f"the keeper {megabytes(keeper.worker.pid):.0f} MB; {descriptors('self')} descriptors here, {own} before.")
    assert size < WORLD_MB
