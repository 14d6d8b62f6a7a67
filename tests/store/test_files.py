"""The file layer itself: what it asks of the system, and what it does with the system's errors."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from jiti_tui.errors import StoreError
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import Story
from jiti_tui.store.files import NO_FILE, Files
from jiti_tui.store.store import Store


def name_of(descriptor: int) -> str:
    return Path(f"/proc/self/fd/{descriptor}").readlink().name


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files and directories that the system is asked to flush, which it does."""
    names: list[str] = []
    flush = os.fsync

    def spy(descriptor: int) -> None:
        names.append(name_of(descriptor))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", spy)
    return names


def test_a_publication_flushes_all_of_it_for_real(disk: Path, flushed: list[str]) -> None:
    store = Store.open(disk / "store")
    Story().accept(store, 0)
    flushed.clear()
    Story().accept(store, 1)
    store.close()
    below = {"0000000000000001.sexp", "a.txt", "data", "docs", "files"}
    assert below | {"world.lisp", "data.sexp", "CURRENT.tmp", "revision-1"} <= set(flushed)
    assert flushed.count("store") == 2
    assert flushed[-2:] == ["manifest.sexp", "store"]


def test_a_flush_that_fails_is_not_tried_again(disk: Path, flushed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(disk / "store")
    spy, failing = os.fsync, ["world.lisp"]

    def fails_once(descriptor: int) -> None:
        spy(descriptor)
        if name_of(descriptor) in failing:
            failing.clear()
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fails_once)
    with pytest.raises(StoreError, match=r"nothing changed: Input/output error \(.*revision-0/world\.lisp\)"):
        Story().accept(store, 0)
    assert flushed.count("world.lisp") == 1
    Story().accept(store, 0)
    assert flushed.count("world.lisp") == 2
    store.close()


def test_nothing_is_made_over_something_or_through_a_link(tmp_path: Path) -> None:
    files = Files()
    (tmp_path / "there").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    (tmp_path / "dangling").symlink_to(tmp_path / "elsewhere")
    for name in ("there", "link", "dangling"):
        with pytest.raises(FileExistsError):
            files.create(tmp_path / name)
    for act in (files.read, files.open_shared):
        with pytest.raises(OSError, match="Too many levels of symbolic links"):
            act(tmp_path / "link")
        with pytest.raises(OSError, match=r"regular file|Is a directory"):
            act(tmp_path)
    with pytest.raises(OSError, match="regular file") as refused:
        files.length(tmp_path / "link")
    assert refused.value.errno == NO_FILE
    assert (tmp_path / "there").read_bytes() == b"kept"
    assert not (tmp_path / "elsewhere").exists()


def test_a_closed_file_is_closed(tmp_path: Path) -> None:
    files = Files()
    handle = files.create(tmp_path / "file")
    files.close(handle)
    with pytest.raises(OSError, match=r"Bad file descriptor: '.*file'"):
        files.close(handle)


def test_what_a_session_had_open_is_given_back(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    Story().play(tmp_path / "store", QuickFiles())
    store = Store.open(tmp_path / "store", files=QuickFiles())
    store.stage(4, "", "")
    store.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
