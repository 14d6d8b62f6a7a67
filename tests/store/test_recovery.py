"""Opening after a crash: what is archived, and what is said to be lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story, manifest_of
from jiti_tui.store.store import Store

SESSION = {"event": "session"}
PROPOSAL = {"event": "proposal", "revision": 1, "action": {"kind": "evaluate"}}
ATTEMPT = {"event": "attempt", "revision": 1, "number": 4}
PAUSED = {"event": "paused", "revision": 1, "level": 0}
REPAIR = {"event": "proposal", "revision": 1, "action": {"kind": "repair"}}


def crashed(store: Store) -> Store:
    """Open what is on disk now, as if the session that has it open had been killed."""
    copy = store.directory.with_name("after")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store.directory, copy)
    return Store.open(copy, files=QuickFiles())


@pytest.mark.parametrize(
    ("records", "lost"),
    [
        ([], ""),
        ([PROPOSAL], "a proposed evaluate"),
        ([PROPOSAL, {"event": "stale"}], ""),
        ([PROPOSAL, {"event": "invalid", "reason": ""}], ""),
        ([PROPOSAL, ATTEMPT], "a proposed evaluate, attempt 4"),
        ([PROPOSAL, ATTEMPT, {"event": "invalid", "reason": ""}], ""),
        ([PROPOSAL, ATTEMPT, PAUSED, REPAIR, {"event": "invalid"}], "attempt 4, a pause at level 0"),
        ([PROPOSAL, ATTEMPT, PAUSED], "a proposed evaluate, attempt 4, a pause at level 0"),
        ([PROPOSAL, ATTEMPT, PAUSED, REPAIR], "attempt 4, a pause at level 0, a proposed repair"),
        ([PROPOSAL, ATTEMPT, PAUSED, REPAIR, {"event": "repaired"}], "attempt 4, a pause at level 0"),
        ([PROPOSAL, ATTEMPT, PAUSED, {"event": "resumed"}, {"event": "value"}, {"event": "checked"}], "attempt 4"),
        ([PROPOSAL, ATTEMPT, {"event": "value"}, {"event": "restored"}], ""),
        ([PROPOSAL, ATTEMPT, PAUSED, {"event": "abandoned"}], ""),
    ],
)
def test_what_was_under_way_is_lost(store: Store, records: list[dict[str, Any]], lost: str) -> None:
    for record in records:
        store.append(record)
    recovered = crashed(store)
    assert not recovered.recovery.clean
    assert recovered.recovery.lost == lost
    assert recovered.recovery.archived == ()
    recovered.close()


def test_what_was_published_is_not_lost_though_the_log_could_not_tell(store: Store) -> None:
    for record in (PROPOSAL, ATTEMPT):
        store.append(record)
    staged = store.stage(2, *CONTENTS[2])
    store.publish(staged, manifest_of(staged))
    recovered = crashed(store)
    assert not recovered.recovery.clean
    assert recovered.recovery.lost == ""
    assert recovered.current is not None
    assert recovered.current.revision == 2
    recovered.close()


def test_a_session_that_closed_has_lost_nothing(store: Store) -> None:
    for record in (PROPOSAL, ATTEMPT, {"event": "closed"}):
        store.append(record)
    recovered = crashed(store)
    assert recovered.recovery.clean
    assert recovered.recovery.lost == ""
    recovered.append(SESSION)
    recovered.close()
    assert not Store.open(recovered.directory, files=QuickFiles()).recovery.clean


def test_a_new_store_is_clean(directory: Path) -> None:
    store = Store.open(directory, files=QuickFiles())
    assert store.recovery.clean
    assert store.current is None
    store.close()


def test_what_was_staged_is_archived_and_only_once(store: Store) -> None:
    store.stage(2, "(defun lost () 1)\n", "")
    recovered = crashed(store)
    assert recovered.recovery.archived == ("revision-2", "CURRENT.tmp")
    recovered.close()
    again = Store.open(recovered.directory, files=QuickFiles())
    assert again.recovery.archived == ()
    again.close()


def test_the_archive_keeps_everything(directory: Path) -> None:
    Story().play(directory, QuickFiles())
    for number in range(3):
        (directory / "revision-4").mkdir()
        (directory / "revision-4" / "world.lisp").write_text(str(number))
        with (directory / "events.sexp").open("ab") as log:
            log.write(f"torn {number}".encode())
        Store.open(directory, files=QuickFiles()).close()
    archive = directory / "archive"
    kept = [(archive / name / "world.lisp").read_text() for name in ("revision-4", "revision-4.2", "revision-4.3")]
    assert kept == ["0", "1", "2"]
    torn = sorted(path.read_text() for path in archive.glob("events.sexp-torn-at-*"))
    assert torn == ["torn 0", "torn 1", "torn 2"]
