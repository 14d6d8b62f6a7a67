"""Stores in a temporary directory on the real disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import Story
from jiti_tui.store.store import Store


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
