"""Publishing: order, waits, permissions, links, and what is refused."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.errors import StoreDamaged, StoreError
from jiti_tui.store.drill.faults import FaultyFiles, QuickFiles, SteppingFiles
from jiti_tui.store.drill.story import CONTENTS, Story, check_survival, manifest_of
from jiti_tui.store.files import Files
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


def test_consent_waits_for_the_disk_exactly_twice(directory: Path) -> None:
    files = SteppingFiles()
    store = Store.open(directory, files=files)
    story = Story()
    story.accept(store, 0)
    staged = store.stage(1, *CONTENTS[1])
    published = manifest_of(staged)
    before, files.seen = files.waits, []
    store.publish(staged, published)
    assert files.waits - before == 2
    assert files.seen == [
        "write manifest.sexp",
        "flush manifest.sexp",
        "close manifest.sexp",
        "rename CURRENT.tmp CURRENT",
        "flush store",
    ]
    assert store.current == published
    store.close()


def test_staging_waits_once_for_everything_that_can_be_written_before_consent(directory: Path) -> None:
    files = SteppingFiles()
    store = Store.open(directory, files=files)
    before, files.seen = files.waits, []
    store.stage(0, *CONTENTS[1])
    assert files.waits - before == 1
    flushed = {line for line in files.seen if line.startswith("flush")}
    assert flushed == {f"flush {name}" for name in ("world.lisp", "data.sexp", "CURRENT.tmp", "revision-0", "store")}
    assert "create manifest.sexp" in files.seen
    assert files.seen.index("create manifest.sexp") < min(files.seen.index(line) for line in flushed)
    store.close()


def test_real_flushes_run_together_and_the_content_is_there(disk: Path) -> None:
    directory = disk / "store"
    files = Files()
    store = Store.open(directory, files=files)
    story = Story()
    for revision in CONTENTS:
        story.accept(store, revision)
    store.close()
    assert (directory / "CURRENT").read_bytes() == b"revision-4\n"
    assert (directory / "revision-3" / "world.lisp").read_bytes() == b"(defun rate () 0.08) ; \xed\xa0\x80\n"
    assert verify_store(directory) == []


def test_only_the_owner_can_enter(directory: Path) -> None:
    before = os.umask(0)
    try:
        Story().play(directory, QuickFiles())
        # What a crash would leave, so that opening makes an archive.
        (directory / "revision-4").mkdir(mode=0o700)
        Store.open(directory, files=QuickFiles()).close()
    finally:
        os.umask(before)
    for path in [directory, *directory.rglob("*")]:
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path


def test_no_descriptor_is_inherited(store: Store, directory: Path) -> None:
    store.stage(2, *CONTENTS[2])
    for descriptor in Path("/proc/self/fd").iterdir():
        if descriptor.exists() and descriptor.resolve().is_relative_to(directory):
            assert not os.get_inheritable(int(descriptor.name))


def test_unchanged_files_are_linked_and_changed_ones_are_new(store: Store, directory: Path) -> None:
    Story().accept(store, 2)
    one, two = directory / "revision-1", directory / "revision-2"
    assert (one / "world.lisp").samefile(two / "world.lisp")
    assert not (one / "data.sexp").samefile(two / "data.sexp")


def test_a_damaged_original_is_not_linked(store: Store, directory: Path) -> None:
    (directory / "revision-1" / "world.lisp").write_bytes(b"(defun rate () 0.06)\n")
    Story().accept(store, 2)
    assert store.read(2).definitions == CONTENTS[2][0]


def test_a_block_that_is_kept_and_has_another_length_is_not_linked(store: Store, directory: Path) -> None:
    block = directory / "revision-1" / "data" / "0000000000000001.sexp"
    block.write_bytes(block.read_bytes()[:-1])
    with pytest.raises(StoreDamaged, match=r"data/0000000000000001\.sexp has not the 12 bytes that its manifest lists"):
        Story().accept(store, 2)
    assert store.current is not None
    assert store.current.revision == 1


def test_a_refused_link_becomes_a_copy(directory: Path) -> None:
    class NoLinks(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "link":
                raise PermissionError(1, "Operation not permitted", str(arguments[0]))
            return super().take(number, operation, arguments)

    store = Store.open(directory, files=NoLinks())
    story = Story()
    for revision in (0, 1, 2):
        story.accept(store, revision)
    assert store.read(2).definitions == CONTENTS[2][0]
    assert (directory / "revision-2" / "world.lisp").stat().st_nlink == 1
    store.close()


@pytest.mark.parametrize("operation", ["rename", "link"])
def test_an_error_for_what_was_done_is_no_failure(directory: Path, operation: str) -> None:
    class Replayed(SteppingFiles):
        def take(self, number: int, taken: str, arguments: tuple[Any, ...]) -> Any:
            result = super().take(number, taken, arguments)
            if taken == operation:
                raise FileNotFoundError(2, "No such file or directory", str(arguments[0]))
            return result

    store = Store.open(directory, files=Replayed())
    story = Story()
    for revision in (0, 1, 2):
        story.accept(store, revision)
    store.close()
    check_survival(directory, story)
    one, two = directory / "revision-1", directory / "revision-2"
    assert (one / "world.lisp").samefile(two / "world.lisp")


def test_a_rejected_outcome_leaves_nothing(store: Store, directory: Path) -> None:
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    staged = store.stage(2, "(defun bad () 1)\n", "(bad)")
    store.discard(staged)
    store.discard(staged)
    assert {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()} == before
    assert not (directory / "revision-2").exists()


def test_what_is_staged_later_replaces_what_was_staged(store: Store, directory: Path) -> None:
    first = store.stage(2, "(defun bad () 1)\n", "(bad)")
    Story().accept(store, 2)
    assert store.read(2).definitions == CONTENTS[2][0]
    with pytest.raises(ValueError, match="is accepted"):
        store.discard(first)
    assert store.read(2).data == CONTENTS[2][1]


def test_the_same_is_not_published_twice_and_nothing_out_of_turn(store: Store) -> None:
    staged = store.stage(2, *CONTENTS[2])
    other = store.stage(2, *CONTENTS[3])
    current = store.current
    assert current is not None
    with pytest.raises(ValueError, match="staged last"):
        store.publish(staged, current)
    with pytest.raises(ValueError, match="not of the staged"):
        store.publish(other, current)
    with pytest.raises(ValueError, match="cannot follow 1"):
        store.stage(4, "", "")


def test_closing_drops_what_is_staged(store: Store, directory: Path) -> None:
    store.stage(2, *CONTENTS[2])
    store.close()
    store.close()
    assert sorted(path.name for path in directory.iterdir()) == [
        "CURRENT",
        "events.sexp",
        "lock",
        "revision-0",
        "revision-1",
    ]
    assert store.read(1).data == CONTENTS[1][1]
    with pytest.raises(StoreError, match="not open for writing"):
        store.append({"event": "closed"})


def test_a_full_disk_is_told_with_file_and_advice(directory: Path) -> None:
    files = FaultyFiles(28)
    store = Store.open(directory, files=files)
    files.at = files.steps + 3
    with pytest.raises(StoreError, match=r"Revision 0 could not be written.*revision-0/world.lisp.*free some space"):
        store.stage(0, "x", "y")
    store.close()
