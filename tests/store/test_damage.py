"""What is on disk is not what was written: it is detected and named, and never served."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jiti_tui.errors import StoreDamaged, StoreError
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.story import CONTENTS, Story
from jiti_tui.store.manifest import ManifestError, seal, unseal
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


@pytest.fixture
def closed(directory: Path) -> Path:
    """A store with revisions 0 to 3 that no session has open."""
    Story().play(directory, QuickFiles())
    return directory


def snapshot(directory: Path) -> dict[str, bytes]:
    """All files but the lock, whose holder changes."""
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file() and path.name != "lock"}


def assert_refused(directory: Path, match: str) -> None:
    """Neither a session nor a reader is served, and nothing is moved."""
    before = snapshot(directory)
    with pytest.raises(StoreDamaged, match=match):
        Store.open(directory, files=QuickFiles())
    with pytest.raises(StoreDamaged, match="verify"):
        _ = Store.open(directory, read_only=True).current
    assert verify_store(directory)
    assert snapshot(directory) == before


def test_every_flipped_bit_of_the_pointer(closed: Path) -> None:
    current = closed / "CURRENT"
    content = current.read_bytes()
    for position in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[position] ^= 1 << bit
            current.write_bytes(changed)
            assert_refused(closed, "CURRENT|revision-")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"revision-3",
        b"revision-03\n",
        b"revision-3\n\n",
        b"revision-3\r\n",
        b"revision--1\n",
        b"3\n",
        b"\xff" * 100,
    ],
)
def test_a_pointer_of_another_form(closed: Path, content: bytes) -> None:
    (closed / "CURRENT").write_bytes(content)
    assert_refused(closed, "must be `revision-N` and a newline")


def test_an_older_pointer_is_refused_even_without_a_log(closed: Path) -> None:
    (closed / "events.sexp").unlink()
    (closed / "CURRENT").write_bytes(b"revision-1\n")
    assert_refused(closed, "names revision-1, and revision-3 can only have been begun on a later one")


def test_an_older_pointer_is_refused_when_the_log_knows_better(closed: Path) -> None:
    (closed / "CURRENT").write_bytes(b"revision-2\n")
    assert_refused(closed, "names revision-2, and the log tells that revision 3 was accepted")


def test_a_recorded_move_to_an_earlier_revision_is_no_damage(closed: Path) -> None:
    with_log = Store.open(closed, files=QuickFiles())
    with_log.append({"event": "recover", "revision": 2})
    with_log.close()
    (closed / "CURRENT").write_bytes(b"revision-2\n")
    assert verify_store(closed) == []
    store = Store.open(closed, files=QuickFiles())
    assert store.recovery.archived == ("revision-3",)
    Story().accept(store, 3)
    store.close()
    assert verify_store(closed) == []


def test_a_missing_pointer_is_damage_once_there_are_revisions(closed: Path) -> None:
    (closed / "CURRENT").unlink()
    assert_refused(closed, "CURRENT is missing, though the store has revisions")


def test_a_missing_pointer_beside_an_unfinished_base_is_a_new_store(directory: Path) -> None:
    store = Store.open(directory, files=QuickFiles())
    store.stage(0, "", "")
    shutil.copytree(directory, directory.with_name("copy"))
    store.close()
    store = Store.open(directory.with_name("copy"), files=QuickFiles())
    assert store.current is None
    assert store.recovery.archived == ("revision-0", "CURRENT.tmp")
    Story().accept(store, 0)
    store.close()


def test_every_flipped_byte_of_a_manifest(closed: Path) -> None:
    content = (closed / "revision-2" / "manifest.sexp").read_bytes()
    assert unseal(content).revision == 2
    for position in range(len(content)):
        for change in (0x01, 0x20, 0x80):
            changed = bytearray(content)
            changed[position] ^= change
            with pytest.raises(ManifestError):
                unseal(bytes(changed))
    for size in range(len(content)):
        with pytest.raises(ManifestError):
            unseal(content[:size])


def test_every_flipped_byte_of_the_accepted_manifest_stops_session_and_reader(closed: Path) -> None:
    manifest = closed / "revision-3" / "manifest.sexp"
    content = manifest.read_bytes()
    for position in range(len(content)):
        changed = bytearray(content)
        changed[position] ^= 0x01
        manifest.write_bytes(changed)
        if position % 64 == 0:
            assert_refused(closed, r"revision-3/manifest\.sexp does not (start with a|match its) seal")
        with pytest.raises(StoreDamaged, match=r"revision-3/manifest\.sexp"):
            Store.open(closed, read_only=True).read(3)
    manifest.write_bytes(content)
    assert verify_store(closed) == []


def test_a_flipped_byte_of_any_file_is_found_and_that_revision_not_served(closed: Path) -> None:
    for path in sorted(closed.glob("revision-*/**/*")):
        content = path.read_bytes() if path.is_file() else b""
        if not content:
            continue
        number = int(path.relative_to(closed).parts[0].removeprefix("revision-"))
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 0x04]))
        assert any(path.name in finding.problem for finding in verify_store(closed)), path
        reader = Store.open(closed, read_only=True)
        with pytest.raises(StoreDamaged, match=path.name):
            reader.read(number)
        path.write_bytes(content)
    assert verify_store(closed) == []


def rewrite(path: Path, content: bytes) -> None:
    """Replace a file without touching its other names."""
    path.unlink()
    path.write_bytes(content)


def other_revision(path: Path) -> Path:
    """The file of revision 1 that has the place of `path`, a file of revision 3; `world.lisp` where there is none."""
    store, _, below = str(path).partition("/revision-3/")
    other = Path(store, "revision-1", below)
    return other if other.exists() else Path(store, "revision-1", "world.lisp")


def swap(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    rewrite(one, second)
    rewrite(other, first)


def as_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_link(path: Path) -> None:
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real"))


HARM: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda path: rewrite(path, b""),
    "longer": lambda path: rewrite(path, path.read_bytes() + b"\n"),
    "a directory": as_directory,
    "a pipe": as_pipe,
    "a link": as_link,
    "swapped": lambda path: swap(path, other_revision(path)),
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize(
    "name",
    ["manifest.sexp", "world.lisp", "data.sexp", "data/0000000000000002.sexp", "files/docs/a.txt"],
)
def test_a_harmed_file_of_the_accepted_revision(closed: Path, name: str, harm: str) -> None:
    HARM[harm](closed / "revision-3" / name)
    problems = [f"{finding.file}: {finding.problem}" for finding in verify_store(closed)]
    assert any("revision-3" in problem for problem in problems)
    reader = Store.open(closed, read_only=True)
    with pytest.raises(StoreDamaged, match=rf"revision-3/{name}"):
        reader.read(3)
    if name == "manifest.sexp":
        assert_refused(closed, "revision-3/manifest.sexp")


def test_a_revision_that_is_a_link_or_gone(closed: Path) -> None:
    (closed / "revision-3").rename(closed / "aside")
    (closed / "revision-3").symlink_to(closed / "aside")
    assert_refused(closed, "revision-3 is missing or no directory")
    (closed / "revision-3").unlink()
    assert_refused(closed, "revision-3 is missing or no directory")


def test_an_identity_that_does_not_follow_from_what_the_revision_is(closed: Path) -> None:
    path = closed / "revision-2" / "manifest.sexp"
    forged = replace(unseal(path.read_bytes()), id="0" * 64)
    rewrite(path, seal(forged))
    problem = "Its identity does not follow from its parent and its files."
    assert [(finding.file, finding.problem) for finding in verify_store(closed)] == [
        ("revision-2/manifest.sexp", problem),
        ("revision-3/manifest.sexp", problem),
    ]


def test_revisions_that_have_changed_places(closed: Path) -> None:
    (closed / "revision-3").rename(closed / "aside")
    (closed / "revision-2").rename(closed / "revision-3")
    (closed / "aside").rename(closed / "revision-2")
    assert_refused(closed, r"revision-3/manifest\.sexp belongs to revision 2\.")
    assert {finding.file for finding in verify_store(closed)} >= {"revision-2", "revision-3"}
    with pytest.raises(StoreDamaged, match="belongs to revision 3"):
        Store.open(closed, read_only=True).read(2)


def test_a_damaged_ancestor_is_named_and_does_not_block(closed: Path) -> None:
    shutil.rmtree(closed / "revision-1")
    assert [finding.problem for finding in verify_store(closed)] == ["Its parent, revision 1, is missing."]
    store = Store.open(closed, files=QuickFiles())
    assert [manifest.revision for manifest in store.history()] == [3, 2, 0]
    with pytest.raises(StoreDamaged, match="revision-1 is missing"):
        store.read(1)
    Story().accept(store, 4)
    store.close()
    assert (closed / "revision-2").is_dir()


def test_a_file_that_no_manifest_lists(closed: Path) -> None:
    (closed / "revision-2" / "notes.txt").write_text("...")
    assert [(f.file, f.problem) for f in verify_store(closed)] == [
        ("revision-2/notes.txt", "The manifest does not list it.")
    ]


def test_a_revision_that_is_not_there_is_told(closed: Path) -> None:
    reader = Store.open(closed, read_only=True)
    for revision in (-1, 4):
        with pytest.raises(StoreError, match=f"has no revision {revision}"):
            reader.read(revision)
    assert reader.read(3).data == CONTENTS[3][1]
