"""Migration: a store of an older format becomes one of this version's, and a copy of it as it was is kept.

A format is how the store writes about a revision: its manifest. Definitions, data and the world's files stay the bytes
that they are, and so identities stay too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from jiti_tui.frozen import frozen
from jiti_tui.store.archive import Archive
from jiti_tui.store.files import Files, Handle
from jiti_tui.store.history import lowest_kept
from jiti_tui.store.layout import (
    ARCHIVE,
    CURRENT,
    LOG,
    MANIFEST,
    MIGRATING,
    PRUNED,
    revision_name,
    revision_number,
    revision_numbers,
)
from jiti_tui.store.log_writer import append_alone
from jiti_tui.store.manifest import FORMAT, ManifestError, Steps, seal, sealed_format, stamp, unseal
from jiti_tui.store.replacing import move
from jiti_tui.store.segments import segment_number
from jiti_tui.store.waves import flush_in_waves, new_file

STEPS: Steps = {}
"""The step from each older format to the next one. There has been one format so far."""


@frozen
class Migration:
    """A store came from the format `older`; `kept` names its copy in `archive/`."""

    older: int
    kept: str


def migrate(files: Files, root: Handle, current: int, steps: Steps) -> Migration | None:
    """Migrate the store whose accepted revision is `current` if that is of an older format; None if it is not.

    The caller holds the lock, has recovered the store, and has read that revision's manifest through `steps`. The
    accepted revision's manifest is replaced last, and with it the store is of the new format. Cut off anywhere, the
    store is as it was or as it is to be, and the next opening begins again. What is damaged stays as it is. Raises
    OSError.
    """
    accepted = files.read(root.path / revision_name(current) / MANIFEST)
    older = sealed_format(accepted)
    if older == FORMAT:
        return None
    beside = root.path / MIGRATING
    files.make_directory(beside)
    kept = _kept_before(files, root.path, current, older, accepted)
    if kept is None:
        copy = beside / f"format-{older}"
        _copy_store(files, root.path, copy)
        kept = Archive(files, root).take_copy(copy)
    made = _make_manifests(files, root.path, beside, steps)
    record = {"event": "migrated", "time": stamp(time.time()), "older": older, "format": FORMAT, "kept": kept}
    append_alone(files, root.path, current, record)
    _replace_manifests(files, made, beside / revision_name(current))
    files.remove_directory(beside)
    return Migration(older, kept)


def _kept_before(files: Files, root: Path, current: int, older: int, accepted: bytes) -> str | None:
    """The copy that an interrupted migration of the same store has kept."""
    archive = root / ARCHIVE
    for name in files.list(archive) if files.is_directory(archive) else []:
        manifest = archive / name / revision_name(current) / MANIFEST
        if name.partition(".")[0] == f"format-{older}" and files.is_file(manifest) and files.read(manifest) == accepted:
            return name
    return None


def _copy_store(files: Files, root: Path, copy: Path) -> None:
    """Make `copy` a store that holds what `root` does, and flush it.

    What is never opened for writing again is linked, or copied where links are refused; the log is copied, since the
    store appends to its own.
    """
    places = [place for name in files.list(root) if _is_kept(name) for place in _walk(files, root / name)]
    folders = [copy, *(copy / path.relative_to(root) for path, is_folder in places if is_folder)]
    for folder in folders:
        files.make_directory(folder)

    def copied(source: Path) -> Handle | None:
        target = copy / source.relative_to(root)
        if source != root / LOG and _linked(files, source, target):
            return None
        return new_file(files, target, files.read(source))

    flush_in_waves(files, (path for path, is_folder in places if not is_folder), copied)
    flush_in_waves(files, folders, files.open_directory)


def _is_kept(name: str) -> bool:
    return name in (CURRENT, LOG, PRUNED) or revision_number(name) is not None or segment_number(name) is not None


def _walk(files: Files, path: Path) -> Iterator[tuple[Path, bool]]:
    """`path` and all that is below it, a folder before what it holds; whether each is a folder."""
    is_folder = files.is_directory(path)
    yield path, is_folder
    for name in files.list(path) if is_folder else []:
        yield from _walk(files, path / name)


def _linked(files: Files, source: Path, target: Path) -> bool:
    try:
        files.link(source, target)
    except OSError:
        # A network disk can report an error for what it has done.
        return files.exists(target)
    return True


def _make_manifests(files: Files, root: Path, beside: Path, steps: Steps) -> dict[Path, Path]:
    """Write and flush the new manifests in `beside`, each named as its revision; return what each is to replace."""
    lowest = lowest_kept(files, root)
    made = {}

    def made_new(place: Path) -> Handle | None:
        manifest = root / place.name / MANIFEST
        if not files.is_directory(manifest.parent) or not files.is_file(manifest):
            return None
        content = files.read(manifest)
        try:
            if sealed_format(content) == FORMAT:
                return None
            migrated = seal(unseal(content, steps=steps))
        except ManifestError:
            return None
        made[place] = manifest
        return new_file(files, place, migrated)

    numbers = (number for number in revision_numbers(files, root) if number >= lowest)
    flush_in_waves(files, (beside / revision_name(number) for number in numbers), made_new)
    return made


def _replace_manifests(files: Files, made: dict[Path, Path], last: Path) -> None:
    """Rename what was made to what it replaces and flush it, `last` when all others are on disk."""

    def replaced(place: Path) -> Handle:
        move(files, place, made[place])
        return files.open_directory(made[place].parent)

    flush_in_waves(files, [place for place in made if place != last], replaced)
    flush_in_waves(files, [last], replaced)
