"""The disk refuses: every operation of staging, publishing, discarding and opening fails in turn, in several ways."""

from __future__ import annotations

import errno
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.errors import StoreError, StoreUncertain
from jiti_tui.store.drill.faults import FaultyFiles, QuickFiles, SteppingFiles, paths
from jiti_tui.store.drill.story import Story, check_survival, manifest_of, stage
from jiti_tui.store.files import Handle
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

FAULTS = [
    pytest.param(errno.EIO, False, False, id="one error"),
    pytest.param(errno.ENOSPC, False, True, id="a full disk"),
    pytest.param(errno.EROFS, False, True, id="read-only from now on"),
    pytest.param(errno.EACCES, False, False, id="one refusal"),
    pytest.param(errno.EIO, True, False, id="an error for what was done"),
]


@pytest.mark.parametrize(("number", "done", "lasting"), FAULTS)
def test_a_fault_at_every_operation_of_a_publication(tmp_path: Path, number: int, done: bool, lasting: bool) -> None:
    at = 0
    uncertain = []
    while True:
        at += 1
        directory = tmp_path / f"at-{at}"
        files, story = FaultyFiles(number, done=done, lasting=lasting), Story()
        store = Store.open(directory, files=files)
        story.accept(store, 0)
        story.accept(store, 1)
        files.at = files.steps + at
        try:
            staged = stage(store, 2)
            story.publishing = 2
            store.publish(staged, manifest_of(staged))
            story.reported = 2
        except StoreUncertain:
            assert files.failed[0] == ("flush", directory.name)
            uncertain.append(at)
            still_refused(store)
        except StoreError:
            files.at = None
            assert store.current is not None
            assert store.current.revision == 1
            story.accept(store, 2)
        files.at = None
        store.close()
        check_survival(directory, story)
        if not files.failed:
            break
        shutil.rmtree(directory)
    assert at > 15
    assert len(uncertain) == 1


def still_refused(store: Store) -> None:
    assert store.current is not None
    assert store.current.revision == 1
    for attempt in (
        lambda: stage(store, 3),
        lambda: store.append({"event": "accepted", "revision": 2}),
    ):
        with pytest.raises(StoreUncertain, match="may or may not"):
            attempt()


def test_what_filled_the_disk_is_removed(directory: Path) -> None:
    class Full(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "write" and paths(arguments)[0].name == "data.sexp":
                raise OSError(errno.ENOSPC, "No space left on device", str(paths(arguments)[0]))
            return super().take(number, operation, arguments)

    story = Story()
    with closing(Store.open(directory)) as store:
        story.accept(store, 0)
    with closing(Store.open(directory, files=Full())) as store, pytest.raises(StoreError, match="disk is full"):
        stage(store, 1)
    assert not (directory / "revision-1").exists()
    assert not (directory / "CURRENT.tmp").exists()
    assert verify_store(directory) == []


@pytest.mark.parametrize("name", ["world.lisp", "data.sexp", "CURRENT.tmp", "manifest.sexp"])
def test_what_failed_to_flush_is_written_as_a_new_file(directory: Path, name: str) -> None:
    class FailsOnce(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "flush" and paths(arguments)[0].name == name and self.seen.count(f"flush {name}") == 1:
                raise OSError(errno.EIO, "Input/output error", name)
            return super().take(number, operation, arguments)

    files, story = FailsOnce(), Story()
    with closing(Store.open(directory, files=files)) as store:
        with pytest.raises(StoreError, match=rf"nothing changed.*{name}.*check it before you go on"):
            story.accept(store, 0)
        story.accept(store, 0)
    first, second = (number for number, seen in enumerate(files.seen) if seen == f"flush {name}")
    assert f"remove {name}" in files.seen[first:second]
    assert f"create {name}" in files.seen[first:second]
    check_survival(directory, story)


def test_a_fault_at_every_operation_of_a_rejection(tmp_path: Path) -> None:
    at = 0
    while True:
        at += 1
        files, story = FaultyFiles(errno.EIO), Story()
        store = Store.open(tmp_path / f"at-{at}", files=files)
        story.accept(store, 0)
        staged = stage(store, 1)
        files.at = files.steps + at
        try:
            store.discard(staged)
        except StoreError:
            assert files.failed
        failed = bool(files.failed)
        files.at = None
        story.accept(store, 1)
        store.close()
        check_survival(tmp_path / f"at-{at}", story)
        if not failed:
            break
    assert at > 5


def test_a_fault_at_every_operation_of_opening(tmp_path: Path) -> None:
    at = 0
    while True:
        at += 1
        directory = tmp_path / f"at-{at}"
        story = Story()
        story.play(directory, QuickFiles())
        (directory / "revision-4").mkdir()
        with (directory / "events.sexp").open("ab") as log:
            log.write(b"torn")
        files = FaultyFiles(errno.EIO)
        files.at = at
        try:
            Store.open(directory, files=files).close()
        except StoreError:
            assert files.failed
        check_survival(directory, story)
        if not files.failed:
            break
    assert at > 15


def test_a_log_that_could_not_be_written_stays_whole(directory: Path) -> None:
    files = FaultyFiles(errno.ENOSPC)
    with closing(Store.open(directory, files=files)) as store:
        Story().accept(store, 0)
        known = store.recent(100)
        files.at = files.steps + 1
        with pytest.raises(StoreError, match=r"The log could not be written.*events.sexp.*free some space"):
            store.append({"event": "lost", "what": "this"})
        assert not (directory / "events.sexp").read_bytes().endswith(b"\n")
        store.append({"event": "session"})
        assert store.recent(100) == [*known, {"event": "session"}]
    assert verify_store(directory) == []


def test_a_file_system_without_locks_is_named(directory: Path) -> None:
    class NoLocks(QuickFiles):
        def lock(self, handle: Handle) -> bool:
            raise OSError(errno.ENOLCK, "No locks available", str(handle.path))

    with pytest.raises(StoreError, match="is on a file system without locks"):
        Store.open(directory, files=NoLocks())


def test_a_place_that_cannot_be_written_is_named(directory: Path) -> None:
    files = FaultyFiles(errno.EROFS)
    files.at = 1
    with pytest.raises(StoreError, match=r"cannot be opened: Read-only file system \(.*store\).*--store"):
        Store.open(directory, files=files)
    with pytest.raises(StoreError, match="No such file or directory"):
        Store.open(directory / "below" / "nothing")


def test_another_directory_is_not_made_a_store(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("...")
    with pytest.raises(StoreError, match=r"is no store: it holds thesis.tex"):
        Store.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_pointer_that_cannot_be_looked_at_is_not_a_missing_one(directory: Path) -> None:
    class Unreadable(QuickFiles):
        def exists(self, path: Path) -> bool:
            if path.name == "CURRENT":
                raise OSError(errno.EIO, "Input/output error", str(path))
            return super().exists(path)

    with closing(Store.open(directory, files=QuickFiles())) as store:
        Story().accept(store, 0)
    with pytest.raises(StoreError, match=r"Input/output error \(.*CURRENT\)"):
        Store.open(directory, files=Unreadable())
    assert (directory / "revision-0").is_dir()
