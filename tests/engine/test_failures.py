"""What fails under a session, and how it goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.attempts import publication
from jiti_tui.engine.desk import FilesChanged, Prepared
from jiti_tui.engine.dispatch import dispatch
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.engine.uninterrupted import uninterrupted
from jiti_tui.errors import StoreError, WorkerDied, WorkerError, WorldFolderError
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.world import World
from jiti_tui.store.store import Store

Open = Callable[..., Any]

DOUBLE = "(defun double (x) (* 2 x))"


def idle(operator: Any) -> Any:
    return operator.wait(lambda s: s.phase in (Phase.NEW, Phase.HELD, Phase.MET, Phase.BLOCKED))


def accepted(operator: Any, forms: str, revision: int) -> None:
    operator.send(commands.Evaluate(idle(operator).painted, forms))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == revision)


def test_everything_that_dies_after_the_publication_comes_back_with_it(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    publish = Store.publish

    def publish_and_kill(*arguments: Any) -> None:
        publish(*arguments)
        os.kill(operator.engine._session.workers.keeper.worker.pid, signal.SIGKILL)

    idle(operator)
    monkeypatch.setattr(Store, "publish", publish_and_kill)
    accepted(operator, DOUBLE, 1)
    monkeypatch.undo()
    operator.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    assert "restored" not in operator.names()
    operator.send(commands.Look("(double 4)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "8"
    accepted(operator, "(defun triple (x) (* 3 x))", 2)
    assert operator.snapshot.generation == 2


def test_a_fork_that_fails_restores_the_world(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    (plain_world / "invariants.lisp").write_text('(invariant "one is one" (= 1 1))\n')
    operator = open_session(plain_world)
    snapshot = idle(operator)

    async def refuse(_self: Any) -> Any:
        raise WorkerError("The candidate could not fork a runner: it has threads.")

    monkeypatch.setattr(Forks, "runner", refuse)
    operator.send(commands.Evaluate(snapshot.painted, DOUBLE))
    operator.wait(lambda s: bool(s.proposals) and s.proposals[-1].fate is Fate.RESTORED)
    monkeypatch.undo()
    assert "it has threads" in operator.snapshot.proposals[-1].reason
    accepted(operator, DOUBLE, 1)


def test_a_view_that_cannot_be_made_blocks_until_the_operator_goes_on(
    sales_tax: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(sales_tax)
    operator.wait_for(Phase.NEW)

    async def die(_self: Any) -> Any:
        raise WorkerDied("The runner process died.")

    monkeypatch.setattr(Forks, "runner", die)
    operator.send(commands.Go())
    assert operator.wait_for(Phase.BLOCKED).reason == "The runner process died."
    monkeypatch.undo()
    operator.send(commands.Go())
    operator.wait_for(Phase.READY)


def test_a_candidate_that_counts_otherwise_is_restored(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    snapshot = idle(operator)

    async def lie(*_: Any) -> Value:
        return Value(generation=-1, value="1", output="", dropped=0, warnings=())

    monkeypatch.setattr(Candidate, "evaluate", lie)
    operator.send(commands.Evaluate(snapshot.painted, DOUBLE))
    operator.wait(lambda s: bool(s.proposals) and s.proposals[-1].fate is Fate.RESTORED)
    assert operator.snapshot.generation == 0


def test_a_pause_that_calls_everything_stale_is_restored(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    operator.send(commands.Evaluate(idle(operator).painted, '(error "stop")'))
    paused = operator.wait_for(Phase.PAUSED)

    async def refuse(*_: Any) -> Stale:
        return Stale(99)

    monkeypatch.setattr(Candidate, "abandon", refuse)
    operator.send(commands.Abandon(paused.painted))
    operator.wait(lambda s: s.proposals[-1].fate is Fate.RESTORED)
    assert idle(operator).generation == 1


def test_a_world_that_calls_everything_stale_is_replaced(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    snapshot = idle(operator)

    async def refuse(*_: Any) -> Stale:
        return Stale(99)

    monkeypatch.setattr(World, "attempt", refuse)
    operator.send(commands.Evaluate(snapshot.painted, DOUBLE))
    operator.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    monkeypatch.undo()
    accepted(operator, DOUBLE, 1)


def test_a_damaged_revision_cannot_come_back_and_the_session_goes_on(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    accepted(operator, DOUBLE, 1)
    accepted(operator, "(defun triple (x) (* 3 x))", 2)
    (plain_world / "store/revision-1/world.lisp").write_text("")
    operator.send(commands.GoBack(idle(operator).painted, 1))
    restored = operator.wait(lambda s: s.proposals[-1].fate is Fate.RESTORED)
    assert "revision-1/world.lisp" in restored.proposals[-1].reason
    assert idle(operator).revision == 2


def test_saved_files_take_no_consent_from_auto(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = publication.Publication.prepare

    async def prepare_and_save(self: Any, verdicts: Any) -> None:
        await prepare(self, verdicts)
        self._session.desk.put(FilesChanged())

    monkeypatch.setattr(publication.Publication, "prepare", prepare_and_save)
    operator = open_session(plain_world, mode=Mode.AUTO)
    operator.send(commands.Evaluate(idle(operator).painted, DOUBLE))
    operator.wait(lambda s: s.revision == 1)


def test_an_outcome_waits_when_auto_ends_before_the_verifier_agrees(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = publication.Publication.prepare

    async def prepare_and_change_mode(self: Any, verdicts: Any) -> None:
        await prepare(self, verdicts)
        asyncio.get_running_loop().call_soon(dispatch, self._session, commands.SetMode(Mode.REVIEW))

    monkeypatch.setattr(publication.Publication, "prepare", prepare_and_change_mode)
    operator = open_session(plain_world, mode=Mode.AUTO)
    operator.send(commands.Evaluate(idle(operator).painted, DOUBLE))
    ready = operator.wait(lambda s: s.outcome is not None and s.outcome.verified)
    assert (ready.phase, ready.revision) == (Phase.READY, 0)
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)


def test_news_of_an_earlier_preparation_is_old(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    operator.send(commands.Evaluate(idle(operator).painted, DOUBLE))
    ready = operator.wait(lambda s: s.outcome is not None and s.outcome.verified)
    desk = operator.engine._session.desk
    operator.engine._loop.call_soon_threadsafe(desk.put, Prepared(None, "it is another"))
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)


def test_a_failed_preparation_is_begun_again_by_consent(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    snapshot = idle(operator)

    def refuse(*_: Any) -> Any:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "stage", refuse)
    operator.send(commands.Evaluate(snapshot.painted, DOUBLE))
    ready = operator.wait(lambda s: s.phase is Phase.READY and s.notice is not None and "disk is full" in s.notice.text)
    monkeypatch.undo()
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1)


def test_a_base_that_broke_meanwhile_lets_nobody_wait(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    snapshot = idle(operator)

    async def refuse(*_: Any) -> Any:
        raise WorldFolderError("base.lisp does not exist.")

    monkeypatch.setattr(operator.engine._session.verification, "verify", refuse)
    operator.send(commands.Evaluate(snapshot.painted, DOUBLE))
    restored = operator.wait(lambda s: bool(s.proposals) and s.proposals[-1].fate is Fate.RESTORED)
    assert "base.lisp does not exist" in restored.proposals[-1].reason


def test_what_cannot_be_removed_ends_no_session(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = open_session(plain_world)
    operator.send(commands.Evaluate(idle(operator).painted, DOUBLE))
    ready = operator.wait(lambda s: s.outcome is not None and s.outcome.verified)

    def refuse(*_: Any) -> None:
        raise StoreError("It could not be removed.")

    monkeypatch.setattr(Store, "discard", refuse)
    operator.send(commands.Reject(ready.painted))
    operator.wait(lambda s: s.notice is not None and s.notice.text == "It could not be removed.")
    monkeypatch.undo()
    accepted(operator, DOUBLE, 1)


def test_uninterrupted_outlasts_every_cancellation() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(10)
        ended.set()

    async def cancel_twice() -> bool:
        task = asyncio.create_task(uninterrupted(work))
        for _ in range(3):
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.sleep(0)
        early = task.done()
        go_on.set()
        await asyncio.wait([task])
        return early or not ended.is_set() or not task.cancelled()

    assert not asyncio.run(cancel_twice())


def test_a_signal_may_send_while_its_thread_is_sending(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle(operator)

    def send_amid_sending() -> None:
        with operator.engine._lock:
            operator.send(commands.Quit())

    thread = threading.Thread(target=send_amid_sending, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    operator.wait_for(Phase.CLOSED)
