"""Moving to another revision where the accepted one is damaged: an explicit act, recorded in the log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from jiti_tui.errors import StoreDamaged, StoreError
from jiti_tui.store.archive import Archive
from jiti_tui.store.current import pointer, read_pointer
from jiti_tui.store.failures import telling
from jiti_tui.store.files import Files, Handle
from jiti_tui.store.history import Revision, lowest_kept, read_revision
from jiti_tui.store.layout import CURRENT, LOCK, NEXT, revision_name, revision_numbers
from jiti_tui.store.lock import take_lock
from jiti_tui.store.log_writer import append_alone
from jiti_tui.store.manifest import Steps, stamp
from jiti_tui.store.migration import STEPS
from jiti_tui.store.replacing import replace_file
from jiti_tui.store.segments import LogReader


def intact_revisions(directory: Path, files: Files | None = None, steps: Steps = STEPS) -> Iterator[Revision]:
    """The revisions of which every byte is what was written, newest first, whatever CURRENT says. Takes no lock.

    Those of an older format are among them, here and below: moving comes first, and the next opening migrates.
    """
    files = files or Files()
    with telling(f"The store {directory} cannot be read"):
        lowest = lowest_kept(files, directory)
        for number in reversed(revision_numbers(files, directory)):
            if number >= lowest:
                try:
                    yield read_revision(files, directory, number, steps=steps)
                except StoreDamaged:
                    continue


def read_intact(directory: Path, number: int, files: Files | None = None, steps: Steps = STEPS) -> Revision:
    """Revision `number`, whatever CURRENT says. Raises StoreDamaged, or StoreError when there is none."""
    files = files or Files()
    with telling(f"Revision {number} cannot be read"):
        if number not in revision_numbers(files, directory):
            raise StoreError(f"{directory} has no revision {number}.")
        return read_revision(files, directory, number, steps=steps)


def move_to(directory: Path, number: int, files: Files | None = None, steps: Steps = STEPS) -> tuple[str, ...]:
    """Make the intact revision `number` the accepted one; return the names of what went to `archive/`.

    The log says it before CURRENT does. Cut off anywhere, the accepted revision is the one before or this one, and the
    same can be asked again. Raises StoreLocked, StoreDamaged when the revision is not intact, and StoreError.
    """
    files = files or Files()
    with telling(f"The store {directory} could not be moved to revision {number}"), ExitStack() as held:
        held.callback(files.close, take_lock(files, directory / LOCK))
        root = files.open_directory(directory)
        held.callback(files.close, root)
        read_revision(files, directory, number, steps=steps)
        archive = Archive(files, root)
        log = LogReader(files, directory).last
        archive.take_torn_record(log.torn, log.whole)
        append_alone(files, directory, number, {"event": "recover", "time": stamp(time.time()), "revision": number})
        _point(files, root, number, archive)
        archive.take_unreached(number)
        return tuple(archive.names)


def _point(files: Files, root: Handle, number: int, archive: Archive) -> None:
    """Replace CURRENT, having kept what it held if that was no pointer."""
    try:
        if read_pointer(files, root.path) == number:
            return
    except StoreDamaged:
        archive.take_damaged_pointer()
    replace_file(files, root, NEXT, CURRENT, pointer(number))


def sentence_of_intact(revisions: Iterator[Revision], most: int = 5) -> str:
    """Which revisions can be moved to, newest first, in a sentence."""
    names: list[str] = []
    for revision in revisions:
        if len(names) == most:
            names.append("older ones")
            break
        names.append(str(revision.manifest.revision))
    if not names:
        return "No revision is intact: bring back a copy of the store, or move it aside to begin anew."
    return (
        f"Intact: {', '.join(names)}. `jiti-tui recover WORLD --to {names[0]}` moves to {revision_name(int(names[0]))}."
    )
