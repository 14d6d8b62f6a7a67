"""One controller at a time, across real processes; readers beside it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from jiti_tui.errors import StoreError, StoreLocked
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


def hold_in_a_child(directory: Path) -> int:
    """Start a process that opens the store, stages a revision and waits to be killed; return its pid once it waits."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            store = Store.open(directory, files=QuickFiles())
            Story().accept(store, 0)
            store.stage(1, *CONTENTS[1])
            os.write(writing, b".")
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as ready:
        assert ready.read(1) == b"."
    return child


def test_a_second_session_is_told_who_and_since_when(directory: Path) -> None:
    child = hold_in_a_child(directory)
    try:
        with pytest.raises(StoreLocked, match=rf"process number {child} on {os.uname().nodename}, since 2\d\d\d-"):
            Store.open(directory)
        reader = Store.open(directory, read_only=True)
        assert reader.current is not None
        assert reader.read(0).definitions == ""
        assert [manifest.revision for manifest in reader.history()] == [0]
        assert verify_store(directory) == []
        with pytest.raises(StoreError, match="not open for writing"):
            reader.stage(1, "", "")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    store = Store.open(directory, files=QuickFiles())
    assert store.recovery.archived == ("revision-1", "CURRENT.tmp")
    assert str(os.getpid()) in (directory / "lock").read_text()
    store.close()


def test_the_lock_is_given_back_and_the_file_stays(directory: Path) -> None:
    for _ in range(3):
        store = Store.open(directory, files=QuickFiles())
        inode = (directory / "lock").stat().st_ino
        with pytest.raises(StoreLocked, match=f"process number {os.getpid()} on"):
            Store.open(directory)
        store.close()
        assert (directory / "lock").stat().st_ino == inode


def test_a_lock_without_a_name_in_it(directory: Path) -> None:
    store = Store.open(directory, files=QuickFiles())
    (directory / "lock").write_bytes(b"\xff(")
    with pytest.raises(StoreLocked, match="in use by another jiti-tui"):
        Store.open(directory)
    store.close()


def test_a_failed_opening_gives_the_lock_back(directory: Path) -> None:
    Story().play(directory, QuickFiles())
    (directory / "CURRENT").write_bytes(b"?")
    for _ in range(2):
        with pytest.raises(StoreError, match="CURRENT is damaged"):
            Store.open(directory)


def test_reading_makes_nothing(directory: Path) -> None:
    reader = Store.open(directory, read_only=True)
    assert reader.current is None
    assert reader.history() == ()
    assert reader.recent(10) == []
    assert not directory.exists()
