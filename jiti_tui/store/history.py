"""Reading accepted revisions. Nothing here writes or locks, so it works beside a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from jiti_tui.errors import StoreDamaged, StoreFormat
from jiti_tui.frozen import frozen
from jiti_tui.store.files import Files
from jiti_tui.store.layout import (
    DATA,
    DEFINITIONS,
    FILES,
    MANIFEST,
    block_file,
    revision_name,
    revision_numbers,
)
from jiti_tui.store.manifest import AnotherFormat, FileEntry, Manifest, ManifestError, Steps, unseal
from jiti_tui.store.pruned import read_pruned


@frozen
class Revision:
    """An accepted revision with its content, which is what its manifest says."""

    manifest: Manifest
    definitions: str
    data: str
    files: Mapping[str, bytes]
    """The world's files by their names."""
    blocks: Mapping[str, str]
    """The blocks of its data by their names."""


def read_manifest(
    files: Files, root: Path, number: int, *, evidence: bool = True, steps: Steps | None = None
) -> Manifest:
    """The manifest of revision `number`, without `evidence` but for its events, an older one through `steps`.

    Raises StoreDamaged when it is missing or not what was written, StoreFormat when it is of another format.
    """
    directory = root / revision_name(number)
    if not files.is_directory(directory):
        raise StoreDamaged(f"{directory} is missing or no directory.")
    path = directory / MANIFEST
    try:
        manifest = unseal(_read(files, path), evidence=evidence, steps=steps)
    except AnotherFormat as error:
        raise StoreFormat(f"{path} {error}.") from error
    except ManifestError as error:
        raise StoreDamaged(f"{path} {error}.") from error
    if manifest.revision != number:
        raise StoreDamaged(f"{path} belongs to revision {manifest.revision}.")
    return manifest


def read_revision(files: Files, root: Path, number: int, *, steps: Steps | None = None) -> Revision:
    """Revision `number` with its content; `steps` and what is raised as `read_manifest` says."""
    manifest = read_manifest(files, root, number, steps=steps)
    directory = root / revision_name(number)
    texts = []
    for name in (DEFINITIONS, DATA):
        entry = manifest.file(name)
        if entry is None:
            raise StoreDamaged(f"{directory / MANIFEST} lists no {name}.")
        texts.append(read_entry(files, directory, entry).decode("utf-8", "surrogatepass"))
    prefix = f"{FILES}/"
    world_files = {
        entry.name.removeprefix(prefix): read_entry(files, directory, entry)
        for entry in manifest.files
        if entry.name.startswith(prefix)
    }
    return Revision(manifest, texts[0], texts[1], world_files, read_blocks(files, root, manifest, manifest.blocks))


def read_blocks(files: Files, root: Path, manifest: Manifest, names: Iterable[str]) -> dict[str, str]:
    """Blocks of a revision's data by their names. Raises StoreDamaged when it has no such, or they are not whole."""
    directory = root / revision_name(manifest.revision)
    entries, blocks = manifest.blocks, {}
    for name in names:
        entry = entries.get(name)
        if entry is None:
            raise StoreDamaged(f"{directory / MANIFEST} lists no {block_file(name)}.")
        blocks[name] = read_entry(files, directory, entry).decode("utf-8", "surrogatepass")
    return blocks


def read_entry(files: Files, directory: Path, entry: FileEntry) -> bytes:
    """The content of a file of a revision. Raises StoreDamaged when size or hash are not those of its entry."""
    path = directory / entry.name
    content = _read(files, path, entry.size + 1)
    if len(content) != entry.size:
        raise StoreDamaged(f"{path} has not the {entry.size} bytes that its manifest lists.")
    if FileEntry.of(entry.name, content) != entry:
        raise StoreDamaged(f"{path} has not the SHA-256 that its manifest lists.")
    return content


def history(files: Files, root: Path, current: int | None, most: int | None = None) -> tuple[Manifest, ...]:
    """The manifests of the newest `most` or all intact revisions up to `current`, newest first, without their events.

    `verify_store` names the damaged ones.
    """
    found: list[Manifest] = []
    lowest = lowest_kept(files, root)
    for number in reversed(revision_numbers(files, root)):
        if current is not None and lowest <= number <= current and len(found) != most:
            try:
                found.append(read_manifest(files, root, number, evidence=False))
            except StoreDamaged:
                continue
    return tuple(found)


def lowest_kept(files: Files, root: Path) -> int:
    """The lowest revision that was not pruned. Where that cannot be known nothing was; `verify_store` says so."""
    try:
        return read_pruned(files, root).lowest
    except StoreDamaged:
        return 0


def _read(files: Files, path: Path, most: int | None = None) -> bytes:
    try:
        return files.read(path, most)
    except OSError as error:
        raise StoreDamaged(f"{path} does not read: {error.strerror}.") from error
