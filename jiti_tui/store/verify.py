"""Checking a store: every byte of every accepted revision, and whether the whole agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jiti_tui.errors import StoreDamaged
from jiti_tui.frozen import frozen
from jiti_tui.store.current import contradiction, read_pointer
from jiti_tui.store.failures import telling
from jiti_tui.store.files import Files
from jiti_tui.store.history import read_entry, read_manifest
from jiti_tui.store.layout import CURRENT, LOG, MANIFEST, PRUNED, revision_name, revision_numbers
from jiti_tui.store.manifest import Manifest, revision_id
from jiti_tui.store.pruned import Pruned, read_pruned
from jiti_tui.store.segments import LogReader


@frozen
class Finding:
    """Something in the store that is not as it was written. `file` is relative to the store, `problem` a sentence."""

    file: str
    problem: str

    def __str__(self) -> str:
        return self.problem if self.file in self.problem else f"{self.file}: {self.problem}"


def verify_store(directory: Path, files: Files | None = None) -> list[Finding]:
    """Check the store in `directory` and return what is wrong with it; nothing is changed and no lock is taken.

    A revision that is not accepted yet, and a log's last record without its newline, are no findings: a session may be
    writing them. Raises StoreError when the log or the directory itself cannot be read.
    """
    files = files or Files()
    with telling(f"The store {directory} cannot be read"):
        # The log before the pointer: a session beside us moves them in the other order.
        log = LogReader(files, directory)
        numbers = revision_numbers(files, directory)
        findings = list(_log(log))
        try:
            current = read_pointer(files, directory)
        except StoreDamaged as error:
            findings.append(Finding(CURRENT, error.fact))
            accepted = set(numbers)
        else:
            found = contradiction(current, numbers, log)
            if found is not None:
                findings.append(Finding(CURRENT, f"It {found}."))
            # Looked up again: that session may have published more than one since.
            numbers = revision_numbers(files, directory)
            accepted = set() if current is None else {current, *(number for number in numbers if number <= current)}
        try:
            pruned = read_pruned(files, directory)
        except StoreDamaged as error:
            findings.append(Finding(PRUNED, error.fact))
            pruned = Pruned()
        if pruned.lowest and pruned.lowest not in accepted:
            findings.append(Finding(PRUNED, f"It keeps revision {pruned.lowest}, which is not there."))
        return [*findings, *_revisions(files, directory, sorted(accepted - set(range(pruned.lowest))), pruned)]


def _log(log: LogReader) -> Iterator[Finding]:
    for name, reading in ((LOG, log.last), *log.older()):
        for damage in reading.all_damage():
            yield Finding(name, f"The record at byte {damage.offset} does not count: {damage.reason}.")
        if name != LOG and reading.torn:
            yield Finding(name, f"The record at byte {reading.whole} does not count: it has no end.")


def _revisions(files: Files, directory: Path, numbers: list[int], pruned: Pruned) -> Iterator[Finding]:
    ids: dict[int, str] = {} if pruned.parent_id is None else {pruned.lowest - 1: pruned.parent_id}
    for number in numbers:
        try:
            manifest = read_manifest(files, directory, number)
        except StoreDamaged as error:
            yield Finding(revision_name(number), error.fact)
            continue
        ids[number] = manifest.id
        yield from _content(files, directory / revision_name(number), manifest)
        name = f"{revision_name(number)}/{MANIFEST}"
        if manifest.parent is not None and manifest.parent not in numbers and manifest.parent not in ids:
            yield Finding(name, f"Its parent, revision {manifest.parent}, is missing.")
        elif manifest.parent is None or manifest.parent in ids:
            parent_id = None if manifest.parent is None else ids[manifest.parent]
            if revision_id(number, parent_id, manifest.files) != manifest.id:
                yield Finding(name, "Its identity does not follow from its parent and its files.")


def _content(files: Files, directory: Path, manifest: Manifest) -> Iterator[Finding]:
    for entry in manifest.files:
        try:
            read_entry(files, directory, entry)
        except StoreDamaged as error:
            yield Finding(f"{directory.name}/{entry.name}", error.fact)
    listed = {MANIFEST, *(entry.name for entry in manifest.files)}
    for name in _names(files, directory):
        if name not in listed:
            yield Finding(f"{directory.name}/{name}", "The manifest does not list it.")


def _names(files: Files, directory: Path, prefix: str = "") -> Iterator[str]:
    """The paths of all that is in `directory` but the folders, relative to it; those of empty folders too."""
    for name in files.list(directory):
        if files.is_directory(directory / name):
            yield from list(_names(files, directory / name, f"{prefix}{name}/")) or [f"{prefix}{name}"]
        else:
            yield f"{prefix}{name}"
