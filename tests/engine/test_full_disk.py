"""The disk fills at every file operation of an attempt and its acceptance; the session says so and goes on."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Notice, Snapshot
from jiti_tui.store.drill.faults import FaultyFiles
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

Open = Callable[..., Any]

RESTING = (Phase.NEW, Phase.HELD, Phase.MET, Phase.BLOCKED, Phase.RECOVERED)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> FaultyFiles:
    """The files of every store: from the operation `at` on, the disk is full."""
    files = FaultyFiles(errno.ENOSPC, lasting=True)
    original = Store.open
    monkeypatch.setattr(Store, "open", lambda directory, **options: original(directory, files=files, **options))
    return files


def test_the_attempt_is_accepted_when_there_is_space_again(
    plain_world: Path, open_session: Open, files: FaultyFiles
) -> None:
    operator = open_session(plain_world)
    idle = operator.wait_for(*RESTING)
    at, told, uncertain = 0, 0, 0
    while at == 0 or files.failed:
        at += 1
        files.failed.clear()
        revision = idle.revision
        files.at = files.steps + at
        operator.send(commands.Evaluate(idle.painted, f"(defun f () {at})"))
        ready = operator.wait(lambda s: s.phase is Phase.READY)
        operator.send(commands.Accept(ready.painted))

        def is_over(s: Snapshot, revision: int = revision, before: Notice | None = idle.notice) -> bool:
            full = s.notice is not None and s.notice is not before and "is full" in s.notice.text
            return s.revision > revision or s.phase is Phase.CLOSED or (full and s.phase is Phase.READY)

        seen = operator.wait(is_over)
        files.at = None
        if seen.phase is Phase.CLOSED:
            assert "may or may not be on disk" in seen.reason
            assert files.failed[0] == ("flush", "store")
            uncertain += 1
            operator = open_session(plain_world)
        elif seen.revision == revision:
            told += 1
            accept_at_last(operator, revision)
        idle = operator.wait(lambda s: s.phase in RESTING)
        assert idle.revision == revision + 1
        assert verify_store(plain_world / "store") == []
    assert (told > 10, uncertain) == (True, 1)


def test_an_outcome_that_the_disk_does_not_take_is_not_called_being_verified(
    plain_world: Path, open_session: Open, files: FaultyFiles
) -> None:
    operator = open_session(plain_world)
    idle = operator.wait_for(*RESTING)
    files.at = files.steps + 1
    operator.send(commands.Evaluate(idle.painted, "(defun f () 1)"))
    full = operator.wait(lambda s: s.outcome is not None and s.outcome.verified is False)
    assert "is full" in full.notice.text
    files.at = None
    operator.send(commands.Accept(full.painted))
    operator.wait(lambda s: s.revision == 1)


def accept_at_last(operator: Any, revision: int) -> None:
    """Consent, and again where the consent came to a failure that was under way."""
    while True:
        seen = operator.wait(lambda s: s.phase is Phase.READY or s.revision > revision)
        if seen.revision > revision:
            return
        operator.send(commands.Accept(seen.painted))
        operator.wait(lambda s, seen=seen: s.revision > revision or s.notice is not seen.notice)
