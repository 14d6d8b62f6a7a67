"""Readers beside a session that publishes, rejects, rotates its log and prunes: what they see is whole, each time."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.store import log_writer
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

LAST = 60


@pytest.fixture(autouse=True)
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_writer, "SEGMENT_BYTES", 2000)


def work(store: Store) -> None:
    for revision in range(2, LAST + 1):
        store.stage(revision, "(defun bad () 1)\n", "")
        Story().accept(store, revision, 1 + revision % 4)
        store.append({"event": "note", "text": "x" * 500})


def look(directory: Path) -> int:
    """What a reader does; the accepted revision that it saw."""
    assert verify_store(directory) == []
    reader = Store.open(directory, read_only=True)
    current = reader.current
    assert current is not None
    revision = current.revision
    content = reader.read(revision)
    assert (content.definitions, content.data) == CONTENTS[1 + revision % 4 if revision > 1 else 1]
    numbers = [manifest.revision for manifest in reader.history()]
    assert numbers == list(range(numbers[0], -1, -1))
    assert numbers[0] >= revision
    assert reader.recent(5)
    return revision


def test_what_is_seen_is_whole_and_never_older_than_before(store: Store, directory: Path) -> None:
    seen = [1]
    with ThreadPoolExecutor(1) as pool:
        working: Future[None] = pool.submit(work, store)
        while not working.done():
            seen.append(look(directory))
        working.result()
    assert look(directory) == LAST
    assert seen == sorted(seen)
    assert len(set(seen)) > 2


def test_what_is_pruned_meanwhile_is_never_served_in_part(store: Store, directory: Path) -> None:
    work(store)
    store.close()
    with closing(Store.open(directory, files=QuickFiles())) as again, ThreadPoolExecutor(1) as pool:
        pruning = pool.submit(again.prune, 1)
        reader = Store.open(directory, read_only=True)
        while not pruning.done():
            numbers = [manifest.revision for manifest in reader.history()]
            assert numbers == list(range(LAST, numbers[-1] - 1, -1))
        assert pruning.result() == LAST
    assert verify_store(directory) == []
