"""Stores in a temporary directory: in memory where that is possible, since on a disk each removal waits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import Story
from jiti_tui.store.store import Store

MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """An empty directory in memory, or on the disk where there is no such file system."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(prefix="jiti-tui-", dir=MEMORY) as place:
        yield Path(place)


@pytest.fixture
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty directory on the disk."""
    return tmp_path_factory.mktemp("disk")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Where the store is made."""
    return tmp_path / "store"


@pytest.fixture
def store(directory: Path) -> Iterator[Store]:
    """An open store with revisions 0 and 1, in a session that is under way; it waits for no disk."""
    store = Store.open(directory, files=QuickFiles())
    store.append({"event": "session"})
    story = Story()
    story.accept(store, 0)
    story.accept(store, 1)
    yield store
    store.close()
