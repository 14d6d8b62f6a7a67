"""A session that only reads, beside the one that holds the store."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine import follower, session
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.errors import WorkerError

Open = Callable[..., Any]


def test_it_follows_what_the_other_accepts_and_changes_nothing(plain_world: Path, open_session: Open) -> None:
    holder = open_session(plain_world)
    idle = holder.wait(lambda s: s.phase is not Phase.STARTING)
    reader = open_session(plain_world, mode=Mode.READ_ONLY)
    seen = reader.wait_for(Phase.READING)
    assert (seen.revision, seen.mode.value) == (0, "read-only")
    reader.send(commands.Evaluate(seen.painted, "(defun f () 1)"))
    assert "only reads" in reader.wait(lambda s: s.notice is not None).notice.text
    log = (plain_world / "store" / "events.sexp").read_bytes()
    holder.send(commands.Evaluate(idle.painted, "(defun answer () 42)"))
    holder.send(commands.Accept(holder.wait_for(Phase.READY).painted))
    seen = reader.wait(lambda s: s.revision == 1 and s.phase is Phase.READING)
    assert [row.number for row in seen.revisions] == [1, 0]
    reader.send(commands.Look("(answer)"))
    assert reader.wait(lambda s: s.looked is not None).looked.text == "42"
    holder.wait(lambda s: s.revision == 1 and s.phase in (Phase.MET, Phase.HELD, Phase.NEW))
    reader.quit()
    told = (plain_world / "store" / "events.sexp").read_text()[len(log) :]
    assert told.count('"session"') + told.count('"closed"') == 0


def test_it_opens_a_world_that_cannot_be_written(plain_world: Path, open_session: Open) -> None:
    holder = open_session(plain_world)
    holder.wait(lambda s: s.phase is not Phase.STARTING)
    holder.quit()
    before = {path: path.stat().st_mtime_ns for path in (plain_world / "store").rglob("*")}
    reader = open_session(plain_world, mode=Mode.READ_ONLY)
    assert reader.wait_for(Phase.READING).revision == 0
    reader.quit()
    assert {path: path.stat().st_mtime_ns for path in (plain_world / "store").rglob("*")} == before


def test_a_world_that_was_never_opened_has_nothing_to_read(plain_world: Path, open_session: Open) -> None:
    reader = open_session(plain_world, mode=Mode.READ_ONLY)
    assert "has no revision yet" in reader.wait_for(Phase.CLOSED).reason
    assert not (plain_world / "store").exists()


def test_it_looks_on_where_another_session_holds_the_store_and_says_who(plain_world: Path, open_session: Open) -> None:
    holder = open_session(plain_world, looks_on=True)
    idle = holder.wait(lambda s: s.phase is not Phase.STARTING)
    assert (idle.mode, idle.holder) == (Mode.REVIEW, "")
    other = open_session(plain_world, looks_on=True)
    seen = other.wait_for(Phase.READING)
    assert seen.mode is Mode.READ_ONLY
    assert f"process number {os.getpid()} on " in seen.holder
    other.send(commands.Evaluate(seen.painted, "(defun f () 1)"))
    assert "only reads" in other.wait(lambda s: s.notice is not None).notice.text
    holder.quit()
    again = open_session(plain_world, looks_on=True)
    assert again.wait(lambda s: s.phase is not Phase.STARTING).mode is Mode.REVIEW


def test_of_two_that_open_a_new_world_at_once_one_holds_it_and_one_looks_on(
    plain_world: Path, open_session: Open
) -> None:
    both = [open_session(plain_world, looks_on=True) for _ in range(2)]
    seen = [each.wait(lambda s: s.phase is not Phase.STARTING) for each in both]
    assert {(each.phase, each.mode, each.reason) for each in seen} == {
        (Phase.MET, Mode.REVIEW, ""),
        (Phase.READING, Mode.READ_ONLY, ""),
    }


def test_it_follows_again_when_the_store_can_be_read_again(plain_world: Path, open_session: Open) -> None:
    holder = open_session(plain_world)
    idle = holder.wait(lambda s: s.phase is not Phase.STARTING)
    reader = open_session(plain_world, mode=Mode.READ_ONLY)
    reader.wait_for(Phase.READING)
    current = plain_world / "store" / "CURRENT"
    kept = current.rename(plain_world / "CURRENT")
    current.mkdir()
    assert "CURRENT does not read" in reader.wait(lambda s: s.notice is not None).notice.text
    current.rmdir()
    kept.rename(current)
    holder.send(commands.Evaluate(idle.painted, "(defun answer () 42)"))
    holder.send(commands.Accept(holder.wait_for(Phase.READY).painted))
    assert reader.wait(lambda s: s.revision == 1).phase is Phase.READING


def test_it_ends_where_the_world_cannot_be_brought_back(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_session: Any) -> None:
        raise WorkerError("No process can be had.")

    holder = open_session(plain_world)
    holder.wait(lambda s: s.phase is not Phase.STARTING)
    reader = open_session(plain_world, mode=Mode.READ_ONLY)
    reader.wait_for(Phase.READING)
    for module in (follower, session):
        monkeypatch.setattr(module, "mend", fail)
    os.kill(reader.engine._session.workers.world.worker.pid, signal.SIGKILL)
    assert reader.wait_for(Phase.CLOSED).reason == "No process can be had."
