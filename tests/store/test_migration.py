"""A store of an older format is migrated, with a copy kept as it was; one of another format is never served."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.errors import StoreDamaged, StoreError, StoreFormat
from jiti_tui.sexp import Value
from jiti_tui.store.drill.faults import QuickFiles, SteppingFiles
from jiti_tui.store.drill.older import OLDER, STEPS_FROM_OLDER, make_older
from jiti_tui.store.drill.story import CONTENTS, Story, check_survival
from jiti_tui.store.files import Files
from jiti_tui.store.manifest import FORMAT, AnotherFormat, sealed_format, unseal
from jiti_tui.store.migration import STEPS, Migration
from jiti_tui.store.moving import intact_revisions, move_to, read_intact
from jiti_tui.store.sealing import sealed, unsealed
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store


@pytest.fixture
def older(directory: Path) -> Path:
    """A store of an older format with revisions 0 to 3."""
    Story().play(directory, QuickFiles())
    make_older(directory)
    return directory


def opened(directory: Path, files: Files | None = None) -> Store:
    return Store.open(directory, files=files or QuickFiles(), steps=STEPS_FROM_OLDER)


def contents(directory: Path) -> dict[str, bytes]:
    """All that a store keeps, by path; the lock's holder changes."""
    kept = [path for path in directory.rglob("*") if path.is_file() and path.name != "lock"]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in kept}


def formats(directory: Path) -> list[int]:
    return [sealed_format(path.read_bytes()) for path in sorted(directory.glob("revision-*/manifest.sexp"))]


def test_there_is_a_step_from_every_older_format() -> None:
    assert set(STEPS) == set(range(1, FORMAT))


def test_it_is_migrated_and_says_so(older: Path) -> None:
    before = contents(older)
    with closing(opened(older)) as store:
        assert store.recovery.migration == Migration(OLDER, "format-0")
        assert store.recovery.done == (
            "The store was of format 0 and is of format 1 now. As it was it is kept in archive/format-0.",
        )
        record = store.recent(1)[0]
        assert (record["event"], record["older"], record["format"], record["kept"]) == ("migrated", 0, 1, "format-0")
        assert [manifest.goals for manifest in store.history()] == [(3, 4), (2, 4), (1, 4), (0, 4)]
    assert formats(older) == [FORMAT] * 4
    assert contents(older / "archive" / "format-0") == before
    with closing(opened(older)) as store:
        assert store.recovery.done == ()
        Story().accept(store, 4)
    assert verify_store(older) == []


def test_everything_but_manifests_stays_the_bytes_and_the_identity_that_it_is(older: Path) -> None:
    before = {name: content for name, content in contents(older).items() if name.startswith("revision-")}
    ids = [revision.manifest.id for revision in intact_revisions(older, steps=STEPS_FROM_OLDER)]
    opened(older).close()
    after = {name: content for name, content in contents(older).items() if name.startswith("revision-")}
    assert set(after) == set(before)
    assert {name for name in after if after[name] != before[name]} == {
        f"revision-{number}/manifest.sexp" for number in range(4)
    }
    assert [manifest.id for manifest in Store.open(older, read_only=True).history()] == ids


def test_what_is_kept_shares_what_is_never_written_again_and_has_a_log_of_its_own(older: Path) -> None:
    opened(older).close()
    kept = older / "archive" / "format-0"
    assert (kept / "revision-3/world.lisp").samefile(older / "revision-3/world.lisp")
    assert not (kept / "events.sexp").samefile(older / "events.sexp")
    log = (kept / "events.sexp").read_bytes()
    with closing(opened(older)) as store:
        Story().accept(store, 4)
        store.prune(1)
    assert (kept / "events.sexp").read_bytes() == log
    assert formats(kept) == [OLDER] * 4
    check_survival(kept, Story(reported=3), steps=STEPS_FROM_OLDER)


def test_where_links_are_refused_it_is_a_copy(older: Path) -> None:
    class NoLinks(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "link":
                raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(arguments[0]))
            return super().take(number, operation, arguments)

    before = contents(older)
    opened(older, NoLinks()).close()
    kept = older / "archive" / "format-0"
    assert contents(kept) == before
    assert not (kept / "revision-3/world.lisp").samefile(older / "revision-3/world.lisp")


def test_the_accepted_revision_is_of_the_new_format_last_and_the_rest_is_on_disk_by_then(older: Path) -> None:
    files = SteppingFiles()
    opened(older, files).close()
    replaced = [
        at for at, seen in enumerate(files.seen) if seen.startswith("rename") and seen.endswith("manifest.sexp")
    ]
    assert [files.seen[at] for at in replaced] == [f"rename revision-{number} manifest.sexp" for number in range(4)]
    between = files.seen[replaced[2] : replaced[3]]
    assert {f"flush revision-{number}" for number in range(3)} <= set(between)
    assert files.seen.index("rename format-0 format-0") < files.seen.index("create revision-0") < replaced[0]


def test_looking_on_says_what_migrates_it_and_changes_nothing(older: Path) -> None:
    before = contents(older)
    reader = Store.open(older, read_only=True, steps=STEPS_FROM_OLDER)
    with pytest.raises(StoreFormat, match=r"has format 0, and jiti-tui .* reads 1; `jiti-tui recover WORLD` migrates"):
        _ = reader.current
    with pytest.raises(StoreFormat, match=r"keeps a copy of it as it is\. Nothing was changed\.$"):
        reader.read(3)
    assert "migrates the store" in str(verify_store(older)[0])
    assert contents(older) == before


def test_an_older_format_without_a_step_is_refused(older: Path) -> None:
    before = contents(older)
    with pytest.raises(StoreFormat, match=r"has format 0.*; use the jiti-tui \S+ that wrote it\. Nothing was changed"):
        Store.open(older, files=QuickFiles())
    assert contents(older) == before


def test_a_newer_format_is_refused_with_the_version_that_reads_it(directory: Path) -> None:
    Story().play(directory, QuickFiles())
    manifest = directory / "revision-3" / "manifest.sexp"
    manifest.write_bytes(sealed(b'(:format 9 :jiti "7.1" :shape :new)\n'))
    before = contents(directory)
    refusal = r"has format 9, and jiti-tui \S+ reads 1; use jiti-tui 7\.1 or newer\. Nothing was changed\.$"
    with pytest.raises(StoreFormat, match=refusal):
        Store.open(directory, files=QuickFiles())
    reader = Store.open(directory, read_only=True)
    with pytest.raises(StoreFormat, match=refusal):
        _ = reader.current
    assert "use jiti-tui 7.1 or newer" in str(verify_store(directory)[0])
    assert contents(directory) == before
    assert reader.read(2).data == CONTENTS[2][1]


def test_steps_follow_one_another(older: Path) -> None:
    def name_the_request(fields: Mapping[str, Value]) -> Mapping[str, Value]:
        return {**{key: value for key, value in fields.items() if key != "asked"}, "request": fields["asked"]}

    content = (older / "revision-2" / "manifest.sexp").read_bytes()
    oldest = unsealed(content).replace(b":format 0", b":format -1").replace(b" :request ", b" :asked ")
    steps = {-1: name_the_request, **STEPS_FROM_OLDER}
    assert unseal(sealed(oldest), steps=steps) == unseal(content, steps=steps)
    with pytest.raises(AnotherFormat, match="has format -1"):
        unseal(sealed(oldest), steps=STEPS_FROM_OLDER)


def test_a_damaged_revision_stays_as_it_is_and_is_named(older: Path) -> None:
    damaged = older / "revision-1" / "manifest.sexp"
    content = damaged.read_bytes()[:-1]
    damaged.unlink()
    damaged.write_bytes(content)
    with closing(opened(older)) as store:
        assert [manifest.revision for manifest in store.history()] == [3, 2, 0]
    assert damaged.read_bytes() == content
    assert verify_store(older)[0].file == "revision-1"


def test_where_the_accepted_revision_is_damaged_nothing_is_migrated_and_another_can_be_moved_to(older: Path) -> None:
    (older / "revision-3" / "manifest.sexp").write_bytes(b"?")
    before = contents(older)
    with pytest.raises(StoreDamaged, match=r"revision-3/manifest\.sexp does not start with a seal"):
        opened(older)
    assert contents(older) == before
    assert [revision.manifest.revision for revision in intact_revisions(older, steps=STEPS_FROM_OLDER)] == [2, 1, 0]
    assert read_intact(older, 2, steps=STEPS_FROM_OLDER).data == CONTENTS[2][1]
    move_to(older, 2, QuickFiles(), STEPS_FROM_OLDER)
    check_survival(older, Story(reported=2), steps=STEPS_FROM_OLDER)


def test_a_migration_that_was_cut_off_keeps_one_copy(older: Path) -> None:
    class BeforeTheLast(SteppingFiles):
        def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
            if operation == "rename" and arguments[0].name == "revision-3":
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(arguments[0]))
            return super().take(number, operation, arguments)

    before = contents(older)
    for _ in range(2):
        with pytest.raises(StoreError, match="cannot be opened: Input/output error"):
            opened(older, BeforeTheLast())
        assert formats(older) == [FORMAT, FORMAT, FORMAT, OLDER]
    opened(older).close()
    assert formats(older) == [FORMAT] * 4
    assert [path.name for path in (older / "archive").glob("format-*")] == ["format-0"]
    assert contents(older / "archive" / "format-0") == before


def test_a_store_that_went_on_in_the_older_format_is_copied_again(older: Path) -> None:
    opened(older).close()
    with closing(opened(older)) as store:
        Story().accept(store, 4)
    make_older(older)
    with closing(opened(older)) as store:
        assert store.recovery.migration == Migration(OLDER, "format-0.2")
    assert formats(older / "archive" / "format-0.2") == [OLDER] * 5
