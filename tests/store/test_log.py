"""The log: whole records, one a line, and what damage costs."""

from __future__ import annotations

import zlib
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.log import read_log
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

RECORDS = [
    {"event": "session", "sandboxed": True},
    {"event": "proposal", "action": {"kind": "evaluate", "forms": '(defun f ()\n  "a \\ b")\n', "generation": 2}},
    {"event": "checked", "goals": [{"name": "é \ud800", "ok": True, "detail": ""}]},
]


def test_records_come_back_as_they_were_a_line_each(store: Store, directory: Path) -> None:
    for record in RECORDS:
        store.append(record)
    assert store.recent(3) == RECORDS
    assert store.recent(2) == RECORDS[1:]
    assert len(store.recent(100)) == 3 + 3
    lines = (directory / "events.sexp").read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    assert lines[3].endswith(b' (:event "session" :sandboxed t)\n')


def test_a_wait_only_when_asked(store: Store) -> None:
    before = store._files.waits
    store.append({"event": "session"})
    assert store._files.waits == before
    store.append({"event": "session"}, flush=True)
    assert store._files.waits == before + 1


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", {"Key": 1}, {"a-b": 1}, {"lines": ["x"]}, {1: 2}])
def test_what_no_record_can_hold_is_refused_and_leaves_no_trace(store: Store, value: object) -> None:
    known = store.recent(100)
    with pytest.raises(ValueError, match=r"record"):
        store.append({"event": "session", "value": value})
    store.append({"event": "session"})
    assert store.recent(100) == [*known, {"event": "session"}]


def test_cut_at_every_byte(directory: Path) -> None:
    with closing(Store.open(directory, files=QuickFiles())) as store:
        Story().accept(store, 0)
        for record in RECORDS:
            store.append(record)
    log = directory / "events.sexp"
    content = log.read_bytes()
    known = store.recent(100)
    for size in range(len(content) + 1):
        log.write_bytes(content[:size])
        complete = content[:size].count(b"\n")
        assert verify_store(directory) == []
        with closing(Store.open(directory, files=QuickFiles())) as store:
            assert store.recent(100) == known[:complete]
            torn = content[content[:size].rfind(b"\n") + 1 : size]
            assert [(directory / "archive" / name).read_bytes() for name in store.recovery.archived] == [torn] * bool(
                torn
            )
            assert store.current is not None
            assert store.current.revision == 0
            store.append({"event": "closed"})
        assert store.recent(100) == [*known[:complete], {"event": "closed"}]


def test_every_flipped_byte_costs_no_more_than_its_records(store: Store, directory: Path) -> None:
    for record in RECORDS:
        store.append(record)
    log = directory / "events.sexp"
    content = log.read_bytes()
    lines = content.splitlines(keepends=True)
    for position in range(len(content)):
        changed = bytearray(content)
        changed[position] ^= 0x01
        reading = read_log(bytes(changed))
        assert len(reading.lines) >= len(lines) - 2
        if position < len(content) - 1:
            assert len(reading.damage) + bool(reading.torn) >= 1
        assert all(body + b"\n" in content for _, body in reading.lines)


def test_damage_is_told_by_its_offset_and_blocks_nothing(store: Store, directory: Path) -> None:
    store.close()
    log = directory / "events.sexp"
    content = log.read_bytes()
    log.write_bytes(content[:20] + b"?" + content[21:])
    assert [(finding.file, finding.problem) for finding in verify_store(directory)] == [
        ("events.sexp", "The record at byte 0 does not count: the checksum is wrong.")
    ]
    with closing(Store.open(directory, files=QuickFiles())) as opened:
        assert [damage.offset for damage in opened.recovery.damage] == [0]
        assert [record["event"] for record in opened.recent(9)] == ["accepted", "accepted"]
        Story().accept(opened, 2)
        assert opened.read(2).data == CONTENTS[2][1]


def test_a_sound_line_that_is_no_record_is_told(store: Store, directory: Path) -> None:
    body = b"(defun f ())"
    with (directory / "events.sexp").open("ab") as log:
        log.write(b"%08x %s\n" % (zlib.crc32(body), body))
    assert store.recent(1)[0]["event"] == "accepted"
    assert "does not count" in verify_store(directory)[0].problem
