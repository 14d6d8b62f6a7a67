"""Something of another kind stands where a part of the store belongs: it is refused by name, or moved aside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.errors import StoreError
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.moving import move_to
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

SECRET = "not the store's\n"

NAMES = [
    *("CURRENT", "CURRENT.tmp", "events.sexp", "events-1.sexp", "lock", "archive", "pruned.sexp", "pruned.tmp"),
    *("revision-0", "revision-2", "revision-3", "revision-4", "revision-99999999999999"),
    *("revision-3/manifest.sexp", "revision-3/world.lisp", "revision-3/files", "revision-3/data"),
]


def clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def as_directory(path: Path) -> None:
    path.mkdir()
    (path / "something").write_text(SECRET)


KINDS: dict[str, Callable[[Path, Path], object]] = {
    "a directory": lambda path, _: as_directory(path),
    "a pipe": lambda path, _: os.mkfifo(path),
    "a link to a file": lambda path, outside: path.symlink_to(outside),
    "a link to a directory": lambda path, outside: path.symlink_to(outside.parent),
    "a link to nothing": lambda path, _: path.symlink_to("nowhere"),
    "an empty file": lambda path, _: path.touch(),
    "nothing": lambda *_: None,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_it_is_refused_or_moved_and_nothing_outside_is_touched(name: str, kind: str, tmp_path: Path) -> None:
    directory, outside = tmp_path / "store", tmp_path / "outside" / "file"
    outside.parent.mkdir()
    outside.write_text(SECRET)
    Story().play(directory, QuickFiles())
    clear(directory / name)
    KINDS[kind](directory / name, outside)
    accepted, refused = False, ""
    try:
        with closing(Store.open(directory, files=QuickFiles())) as store:
            assert store.current is not None
            assert (store.current.revision, store.read(3).data) == (3, CONTENTS[3][1])
            Story().accept(store, 4)
            accepted = True
    except StoreError as error:
        refused = str(error)
    assert outside.read_text() == SECRET
    assert [path.name for path in outside.parent.iterdir()] == ["file"]
    if accepted:
        assert Store.open(directory, read_only=True).read(4).data == CONTENTS[4][1]
    elif name in ("lock", "events.sexp"):
        assert f"{directory / name}). Something else stands in its place: move that away" in refused
    else:
        assert str(directory) in refused
        assert verify_store(directory)
        move_to(directory, 1, QuickFiles())
        assert Store.open(directory, read_only=True).read(1).data == CONTENTS[1][1]
