"""Moving to an intact revision: explicit, recorded, and never to a damaged one."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.errors import StoreDamaged, StoreError, StoreLocked
from jiti_tui.store.drill.faults import FaultyFiles, QuickFiles, SteppingFiles
from jiti_tui.store.drill.power import PowerFiles, PowerLost, every_chance, restart
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.moving import intact_revisions, move_to, read_intact, sentence_of_intact
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

HARM: dict[str, Callable[[Path], object]] = {
    "CURRENT is damaged": lambda store: (store / "CURRENT").write_bytes(b"revision-?\n"),
    "CURRENT is missing": lambda store: (store / "CURRENT").unlink(),
    "CURRENT is a directory": lambda store: ((store / "CURRENT").unlink(), (store / "CURRENT").mkdir()),
    "CURRENT is older": lambda store: (store / "CURRENT").write_bytes(b"revision-1\n"),
    "CURRENT is newer": lambda store: (store / "CURRENT").write_bytes(b"revision-7\n"),
    "the accepted revision is damaged": lambda store: (store / "revision-3" / "manifest.sexp").write_bytes(b"?"),
    "the accepted revision is gone": lambda store: shutil.rmtree(store / "revision-3"),
    "nothing": lambda store: None,
}


@pytest.fixture
def closed(directory: Path) -> Path:
    """A store with revisions 0 to 3 that no session has open."""
    Story().play(directory, QuickFiles())
    return directory


def assert_moved(directory: Path, number: int) -> None:
    with closing(Store.open(directory, files=QuickFiles())) as store:
        assert store.current is not None
        assert store.current.revision == number
        content = store.read(number)
        assert (content.definitions, content.data) == CONTENTS[number]
        Story().accept(store, number + 1)
    assert verify_store(directory) == []


@pytest.mark.parametrize("harm", HARM)
def test_a_harmed_store_goes_on_from_an_intact_revision(closed: Path, harm: str) -> None:
    HARM[harm](closed)
    move_to(closed, 2, QuickFiles())
    assert (closed / "CURRENT").read_bytes() == b"revision-2\n"
    assert not (closed / "revision-3").exists()
    assert b'(:event "recover"' in (closed / "events.sexp").read_bytes()
    assert_moved(closed, 2)


def test_the_log_says_it_before_current_does_and_both_are_on_disk(closed: Path) -> None:
    files = SteppingFiles()
    move_to(closed, 2, files)
    renamed = files.seen.index("rename CURRENT.tmp CURRENT")
    assert files.seen.index("flush events.sexp") < files.seen.index("flush CURRENT.tmp") < renamed
    assert files.seen[renamed + 1] == "flush store"


def test_what_was_there_is_archived(closed: Path) -> None:
    (closed / "CURRENT").write_bytes(b"?")
    with (closed / "events.sexp").open("ab") as log:
        log.write(b"torn")
    kept = move_to(closed, 1, QuickFiles())
    assert sorted(kept) == sorted([*(path.name for path in (closed / "archive").iterdir())])
    assert (closed / "archive" / "CURRENT").read_bytes() == b"?"
    assert {"CURRENT", "revision-2", "revision-3"} < set(kept)


def test_a_damaged_revision_is_refused_with_the_reason_and_nothing_moves(closed: Path) -> None:
    path = closed / "revision-3" / "world.lisp"
    path.unlink()
    path.write_bytes(b"(defun rate () 0.09)")
    before = sorted(str(found) for found in closed.rglob("*"))
    with pytest.raises(StoreDamaged, match=r"revision-3/world\.lisp has not the"):
        move_to(closed, 3, QuickFiles())
    with pytest.raises(StoreDamaged, match="revision-9 is missing"):
        move_to(closed, 9, QuickFiles())
    assert sorted(str(found) for found in closed.rglob("*")) == before
    assert [revision.manifest.revision for revision in intact_revisions(closed)] == [2, 1, 0]
    assert sentence_of_intact(intact_revisions(closed), 2) == (
        "Intact: 2, 1, older ones. `jiti-tui recover WORLD --to 2` moves to revision-2."
    )


def test_where_none_is_intact_it_says_what_is_left_to_do(closed: Path) -> None:
    for folder in closed.glob("revision-*"):
        (folder / "manifest.sexp").write_bytes(b"?")
    assert sentence_of_intact(intact_revisions(closed)) == (
        "No revision is intact: bring back a copy of the store, or move it aside to begin anew."
    )
    with pytest.raises(StoreError, match="has no revision 9"):
        read_intact(closed, 9)


def test_nobody_moves_under_a_session(store: Store, directory: Path) -> None:
    with pytest.raises(StoreLocked):
        move_to(directory, 0)


@pytest.mark.slow
@pytest.mark.parametrize("harm", HARM)
def test_power_lost_at_every_operation_of_moving(closed: Path, tmp_path: Path, harm: str) -> None:
    HARM[harm](closed)
    at, lost = 0, True
    while lost:
        at += 1
        top = tmp_path / f"at-{at}"
        top.mkdir()
        shutil.copytree(closed, top / "store")
        files = PowerFiles(top, at)
        try:
            move_to(top / "store", 2, files)
            lost = False
        except PowerLost:
            pass
        for remains in every_chance(files.disk, at):
            target = tmp_path / f"at-{at}-left"
            restart(remains, target)
            try:
                with closing(Store.open(target / "store", files=QuickFiles())) as store:
                    assert store.current is not None
                    assert store.current.revision in ((3, 2) if harm == "nothing" else (2,))
            except StoreDamaged:
                assert lost
                assert harm != "nothing"
            move_to(target / "store", 2, QuickFiles())
            assert_moved(target / "store", 2)
            shutil.rmtree(target)
        shutil.rmtree(top)
    assert at > 14


@pytest.mark.parametrize("done", [False, True])
def test_a_fault_at_every_operation_of_moving(closed: Path, tmp_path: Path, done: bool) -> None:
    HARM["CURRENT is damaged"](closed)
    at = 0
    while True:
        at += 1
        directory = tmp_path / f"at-{at}"
        shutil.copytree(closed, directory)
        files = FaultyFiles(errno.EIO, done=done)
        files.at = at
        try:
            move_to(directory, 2, files)
        except StoreError:
            assert files.failed
        move_to(directory, 2, QuickFiles())
        assert_moved(directory, 2)
        if not files.failed:
            break
    assert at > 20
