"""The world's files in a revision: where they lie, which are links, and which names never become paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiti_tui.errors import StoreDamaged
from jiti_tui.store.drill.faults import QuickFiles, SteppingFiles
from jiti_tui.store.drill.story import manifest_of
from jiti_tui.store.history import read_manifest
from jiti_tui.store.manifest import FileEntry, revision_id, seal
from jiti_tui.store.publish import Staged
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store
from jiti_tui.store.waves import WAVE

FILES = {"site/a.txt": b"a\n", "site/posts/b.txt": b"b\n", "site/empty": b""}


def publish(store: Store, revision: int, files: dict[str, bytes]) -> None:
    staged = store.stage(revision, "", "", files)
    store.publish(staged, manifest_of(staged))


@pytest.fixture
def empty(directory: Path) -> Store:
    return Store.open(directory, files=QuickFiles())


def test_files_lie_below_their_adapter_and_come_back(empty: Store, directory: Path) -> None:
    publish(empty, 0, FILES)
    empty.close()
    assert (directory / "revision-0/files/site/posts/b.txt").read_bytes() == b"b\n"
    assert oct((directory / "revision-0/files/site/posts").stat().st_mode & 0o777) == "0o700"
    assert oct((directory / "revision-0/files/site/a.txt").stat().st_mode & 0o777) == "0o600"
    assert Store.open(directory, read_only=True).read(0).files == FILES
    assert verify_store(directory) == []


def test_a_file_that_stays_the_same_is_a_link_to_the_parents(empty: Store, directory: Path) -> None:
    publish(empty, 0, FILES)
    publish(empty, 1, {**FILES, "site/a.txt": b"other\n"})
    one, two = directory / "revision-0/files/site", directory / "revision-1/files/site"
    assert (one / "posts/b.txt").samefile(two / "posts/b.txt")
    assert (one / "a.txt").read_bytes() == b"a\n"
    assert (two / "a.txt").read_bytes() == b"other\n"


def test_files_are_part_of_the_identity(empty: Store) -> None:
    staged = empty.stage(0, "", "", FILES)
    entries = {entry.name: entry for entry in staged.files}
    assert entries["files/site/a.txt"] == FileEntry.of("files/site/a.txt", b"a\n")
    assert staged.id == revision_id(0, None, staged.files)
    assert staged.id != empty.stage(0, "", "", {**FILES, "site/empty": b"x"}).id


def test_many_files_are_flushed_a_bounded_number_at_a_time(directory: Path) -> None:
    files = SteppingFiles()
    store = Store.open(directory, files=files)
    before, files.seen = files.waits, []
    open_now, most = 0, 0
    store.stage(0, "", "", {f"site/{number:03}": b"%d" % number for number in range(2 * WAVE + 1)})
    for line in files.seen:
        open_now += line.startswith("create") - line.startswith("close")
        most = max(most, open_now)
    # Three waves of files, one of their folders, and the wait for everything else.
    assert files.waits - before == 5
    assert most <= WAVE
    store.close()


def test_what_was_staged_goes_with_its_folders(empty: Store, directory: Path) -> None:
    publish(empty, 0, FILES)
    empty.discard(empty.stage(1, "", "", {"site/deep/er/c": b"c"}))
    assert not (directory / "revision-1").exists()


def test_a_changed_file_is_found_by_its_path(empty: Store, directory: Path) -> None:
    publish(empty, 0, FILES)
    empty.close()
    (directory / "revision-0/files/site/a.txt").write_bytes(b"A\n")
    (directory / "revision-0/files/site/more").mkdir()
    found = {finding.file: finding.problem for finding in verify_store(directory)}
    assert set(found) == {"revision-0/files/site/a.txt", "revision-0/files/site/more"}
    assert "has not the SHA-256" in found["revision-0/files/site/a.txt"]
    assert found["revision-0/files/site/more"] == "The manifest does not list it."
    with pytest.raises(StoreDamaged, match=r"files/site/a\.txt has not the SHA-256"):
        Store.open(directory, read_only=True).read(0)


@pytest.mark.parametrize(
    "name", ["files/site/../../../x", "files/Site/a", "files/site", "../x", "/etc/passwd", "a/./b", "files/site/a\x1b"]
)
def test_a_manifest_names_no_path_that_leads_elsewhere(empty: Store, directory: Path, name: str) -> None:
    publish(empty, 0, FILES)
    empty.close()
    manifest = read_manifest(QuickFiles(), directory, 0)
    forged = seal(manifest_of(_with_file(manifest.files, name)))
    path = directory / "revision-0/manifest.sexp"
    path.write_bytes(forged)
    with pytest.raises(StoreDamaged, match="which is no name of a file"):
        Store.open(directory, read_only=True).read(0)


def _with_file(files: tuple[FileEntry, ...], name: str) -> Staged:
    return Staged(0, None, "0" * 64, (*files, FileEntry.of(name, b"x")))
