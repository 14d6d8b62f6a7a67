"""The log is bounded: it is rotated into segments, the oldest go, and nothing that is said about a store suffers."""

from __future__ import annotations

import errno
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.errors import StoreDamaged, StoreError
from jiti_tui.store import log_writer
from jiti_tui.store.drill.faults import FaultyFiles, QuickFiles
from jiti_tui.store.drill.story import Story
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


@pytest.fixture(autouse=True)
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_writer, "SEGMENT_BYTES", 300)
    monkeypatch.setattr(log_writer, "MOST_SEGMENTS", 6)


def notes(store: Store, first: int, last: int) -> None:
    for number in range(first, last):
        store.append({"event": "note", "number": number, "text": "x" * 60})


def numbers(store: Store, most: int) -> list[int]:
    return [record["number"] for record in store.recent(most) if record["event"] == "note"]


def test_the_oldest_segments_go_and_are_counted(store: Store, directory: Path) -> None:
    notes(store, 0, 40)
    kept = sorted(path.name for path in directory.glob("events*"))
    assert len(kept) == 7
    assert "events-1.sexp" not in kept
    newest = max(int(name[7:-5]) for name in kept if name != "events.sexp")
    first = (directory / "events.sexp").read_bytes().splitlines()[0]
    assert f'(:event "rotated" :segment {newest} :removed {newest - 6} :revision 1)'.encode() in first
    assert sum(path.stat().st_size for path in directory.glob("events*")) < 7 * 600
    assert verify_store(directory) == []


def test_the_last_records_come_from_several_segments(store: Store) -> None:
    notes(store, 0, 12)
    assert numbers(store, 100) == list(range(12))
    assert numbers(store, 5)[-3:] == [9, 10, 11]


def test_a_session_goes_on_in_the_last_segment_of_the_one_before(store: Store, directory: Path) -> None:
    notes(store, 0, 6)
    store.append({"event": "closed"})
    store.close()
    with closing(Store.open(directory, files=QuickFiles())) as again:
        assert again.recovery.clean
        notes(again, 6, 9)
        assert numbers(again, 100) == list(range(9))


def test_an_older_pointer_is_refused_though_the_acceptance_is_in_no_segment_any_more(
    store: Store, directory: Path
) -> None:
    notes(store, 0, 60)
    store.close()
    assert not any(b"accepted" in path.read_bytes() for path in directory.glob("events*"))
    shutil.rmtree(directory / "revision-1")
    (directory / "CURRENT").write_bytes(b"revision-0\n")
    with pytest.raises(StoreDamaged, match="names revision-0, and the log tells that revision 1 was accepted"):
        Store.open(directory, files=QuickFiles())


def test_opening_reads_no_more_than_it_needs(store: Store, directory: Path) -> None:
    class Counting(QuickFiles):
        def __init__(self) -> None:
            super().__init__()
            self.logs: list[str] = []

        def read(self, path: Path, most: int | None = None) -> bytes:
            if path.name.startswith("events"):
                self.logs.append(path.name)
            return super().read(path, most)

    notes(store, 0, 40)
    store.append({"event": "session"})
    store.close()
    newest = max(directory.glob("events-*"), key=lambda path: int(path.stem[7:])).name
    files = Counting()
    with closing(Store.open(directory, files=files)):
        assert set(files.logs) <= {"events.sexp", newest}


def test_damage_in_an_older_segment_is_told_by_its_file_and_offset(store: Store, directory: Path) -> None:
    notes(store, 0, 12)
    store.close()
    segment = directory / "events-2.sexp"
    content = segment.read_bytes()
    second = content.index(b"\n") + 1
    segment.write_bytes(content[: second + 12] + b"?" + content[second + 13 :])
    assert [str(finding) for finding in verify_store(directory)] == [
        f"events-2.sexp: The record at byte {second} does not count: the checksum is wrong."
    ]
    with closing(Store.open(directory, files=QuickFiles())) as again:
        assert len(numbers(again, 100)) == 11


@pytest.mark.parametrize("done", [False, True])
def test_a_fault_at_every_operation_of_a_rotation_loses_no_other_record(tmp_path: Path, done: bool) -> None:
    at = 0
    while True:
        at += 1
        files = FaultyFiles(errno.EIO, done=done)
        store = Store.open(tmp_path / f"at-{at}", files=files)
        Story().accept(store, 0)
        files.at = files.steps + at
        failed = []
        for number in range(12):
            try:
                notes(store, number, number + 1)
            except StoreError:
                failed.append(number)
        files.at = None
        notes(store, 12, 14)
        assert set(range(14)) - set(numbers(store, 100)) <= set(failed)
        store.close()
        assert verify_store(store.directory) == []
        if not files.failed:
            break
    assert at > 12
