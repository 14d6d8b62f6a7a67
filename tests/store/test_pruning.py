"""Pruning: old revisions go on purpose, and a store never takes that for damage nor damage for that."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.errors import StoreError
from jiti_tui.store.drill.faults import FaultyFiles, QuickFiles, SteppingFiles
from jiti_tui.store.drill.story import CONTENTS, Story, check_survival
from jiti_tui.store.files import Files
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


@pytest.fixture
def four(directory: Path) -> Path:
    """A store with revisions 0 to 3 that no session has open."""
    Story().play(directory, QuickFiles())
    return directory


def prune(directory: Path, keep: int, files: Files | None = None) -> int:
    with closing(Store.open(directory, files=files or QuickFiles())) as store:
        return store.prune(keep)


def kept(directory: Path) -> list[int]:
    return sorted(int(path.name.removeprefix("revision-")) for path in directory.glob("revision-*"))


def test_the_newest_stay_and_the_store_is_whole(four: Path) -> None:
    assert prune(four, 2) == 2
    assert kept(four) == [2, 3]
    assert verify_store(four) == []
    reader = Store.open(four, read_only=True)
    assert reader.lowest == 2
    assert [manifest.revision for manifest in reader.history()] == [3, 2]
    assert reader.read(2).definitions == CONTENTS[2][0]
    with pytest.raises(StoreError, match="Revision 1 was pruned; the lowest that is kept is revision 2"):
        reader.read(1)
    with closing(Store.open(four, files=QuickFiles())) as store:
        assert store.recovery.done == ()
        Story().accept(store, 4)
    assert verify_store(four) == []


def test_the_accepted_revision_stays_whatever_is_asked(four: Path) -> None:
    assert prune(four, 0) == 3
    assert kept(four) == [3]
    assert prune(four, 1) == 0
    assert prune(four, 100) == 0
    assert Store.open(four, read_only=True).read(3).data == CONTENTS[3][1]


def test_what_is_missing_above_what_was_pruned_is_damage(four: Path) -> None:
    prune(four, 3)
    shutil.rmtree(four / "revision-2")
    assert [finding.problem for finding in verify_store(four)] == ["Its parent, revision 2, is missing."]


def test_every_flipped_byte_of_what_says_what_was_pruned_is_told_and_removes_nothing(four: Path) -> None:
    prune(four, 2)
    path = four / "pruned.sexp"
    content = path.read_bytes()
    for position in range(len(content)):
        changed = bytearray(content)
        changed[position] ^= 1
        path.write_bytes(changed)
        assert any(finding.file == "pruned.sexp" for finding in verify_store(four))
        with closing(Store.open(four, files=QuickFiles())) as store:
            assert any("pruned.sexp" in sentence for sentence in store.recovery.done)
            assert store.current is not None
    assert kept(four) == [2, 3]
    with closing(Store.open(four, files=QuickFiles())) as store:
        store.prune(1)
    assert verify_store(four) == []


def test_what_an_interrupted_pruning_has_left_is_removed_by_the_next_opening_which_says_so(four: Path) -> None:
    class NothingGoes(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "remove":
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(arguments[0]))
            return super().take(number, operation, arguments)

    with pytest.raises(StoreError, match="could not be pruned: Input/output error"):
        prune(four, 2, NothingGoes())
    assert kept(four) == [0, 1, 2, 3]
    assert verify_store(four) == []
    with closing(Store.open(four, files=QuickFiles())) as store:
        assert store.recovery.done == ("Removed 2 pruned revisions that were left.",)
    assert kept(four) == [2, 3]


@pytest.mark.parametrize(("number", "done"), [(errno.EIO, False), (errno.ENOSPC, False), (errno.EIO, True)])
def test_a_fault_at_every_operation_of_pruning(four: Path, tmp_path: Path, number: int, done: bool) -> None:
    at = 0
    while True:
        at += 1
        directory = tmp_path / f"at-{at}"
        shutil.copytree(four, directory)
        files = FaultyFiles(number, done=done)
        store = Store.open(directory, files=files)
        files.at = files.steps + at
        try:
            store.prune(1)
        except StoreError:
            assert files.failed
            assert not (done and files.failed[0][0] == "rename")
        files.at = None
        store.close()
        check_survival(directory, Story(reported=3))
        assert prune(directory, 1) in (0, 1, 4)
        assert verify_store(directory) == []
        if not files.failed:
            break
    assert at > 15
