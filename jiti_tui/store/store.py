"""The store: accepted revisions on disk, and the log of what happened."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jiti_tui.errors import StoreDamaged, StoreError
from jiti_tui.store.current import examine, read_pointer
from jiti_tui.store.failures import telling
from jiti_tui.store.files import Files
from jiti_tui.store.history import Revision, history, lowest_kept, read_blocks, read_manifest, read_revision
from jiti_tui.store.layout import DATA, DEFINITIONS, FILES, block_file, revision_numbers
from jiti_tui.store.manifest import Manifest, Steps, stamp
from jiti_tui.store.migration import STEPS
from jiti_tui.store.pruning import prune
from jiti_tui.store.publish import Kept, Staged
from jiti_tui.store.record import Record
from jiti_tui.store.recovery import Recovery
from jiti_tui.store.segments import LogReader
from jiti_tui.store.writer import Writer

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Store:
    """An open store. Calls block while they read and write, and come one at a time, from any thread.

    `recovery` says what was found when it was opened. Whatever fails is a StoreError with a sentence for the user.
    """

    def __init__(self, directory: Path, files: Files, writer: Writer | None) -> None:
        self.directory = directory
        self.recovery = writer.recovery if writer else Recovery()
        self.read_only = writer is None
        self._files = files
        self._writer = writer

    @classmethod
    def open(
        cls, directory: Path, *, read_only: bool = False, files: Files | None = None, steps: Steps = STEPS
    ) -> Store:
        """Open the store in `directory`, made if it is missing: take the lock, recover, and migrate it by `steps`.

        With `read_only`, make, lock and change nothing; that works beside a session, and a store that is missing is an
        empty one. Raises StoreLocked when another session has it, StoreDamaged when its accepted revision is not what
        was published, StoreFormat when it is of a format that is not read.
        """
        files = files or Files()
        with telling(f"The store {directory} cannot be opened"):
            return cls(directory, files, None if read_only else Writer(files, directory, steps))

    @property
    def current(self) -> Manifest | None:
        """The manifest of the accepted revision, None in a store that has none yet."""
        if self._writer:
            return self._writer.publisher.accepted
        with telling(f"The store {self.directory} cannot be read"):
            number = self._accepted()
            return None if number is None else read_manifest(self._files, self.directory, number)

    def pointer(self) -> int | None:
        """The number that CURRENT names, and nothing else is looked at; None in a store that has no revision yet."""
        with telling(f"The store {self.directory} cannot be read"):
            return read_pointer(self._files, self.directory)

    def read(self, revision: int) -> Revision:
        """An accepted revision with its content. Raises StoreDamaged when a byte of it is not what was written."""
        with telling(f"Revision {revision} cannot be read"):
            accepted = self._accepted()
            lowest = lowest_kept(self._files, self.directory)
            if 0 <= revision < lowest:
                raise StoreError(f"Revision {revision} was pruned; the lowest that is kept is revision {lowest}.")
            if accepted is None or not 0 <= revision <= accepted:
                raise StoreError(f"{self.directory} has no revision {revision}. `jiti-tui history` lists what it has.")
            return read_revision(self._files, self.directory, revision)

    def history(self, most: int | None = None) -> tuple[Manifest, ...]:
        """The manifests of the newest `most` or all intact accepted revisions, newest first, without their events.

        `verify_store` names the others.
        """
        with telling(f"The store {self.directory} cannot be read"):
            return history(self._files, self.directory, self._accepted(), most)

    @property
    def lowest(self) -> int:
        """The lowest revision that was not pruned."""
        with telling(f"The store {self.directory} cannot be read"):
            return lowest_kept(self._files, self.directory)

    def recent(self, most: int) -> list[dict[str, Any]]:
        """The last `most` records of the log, oldest first."""
        with telling("The log cannot be read"):
            return list(islice(LogReader(self._files, self.directory).newest_first(), most))[::-1]

    def stage(
        self,
        revision: int,
        definitions: str,
        data: str,
        files: Mapping[str, bytes] = NOTHING,
        blocks: Mapping[str, str] = NOTHING,
        kept: Iterable[str] = (),
        kept_from: int | None = None,
    ) -> Staged:
        """Write the content of the next revision and flush it; nothing is accepted yet.

        `files` are the world's, by names as `jiti_tui.file_names` has them; `blocks` are those of its data that are
        new, `kept` names those that are as in the revision `kept_from`, None for the accepted one. Whatever was staged
        before is dropped. Raises StoreError when the disk refuses; the same can be staged again.
        """
        texts = {DEFINITIONS: definitions, DATA: data} | {block_file(name): text for name, text in blocks.items()}
        contents = {name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}
        contents |= {f"{FILES}/{name}": content for name, content in files.items()}
        with telling(f"Revision {revision} could not be written, nothing changed"):
            publisher = self._writing.publisher
            source = publisher.accepted
            if kept_from is not None and (source is None or source.revision != kept_from):
                source = read_manifest(self._files, self.directory, kept_from)
            return publisher.stage(revision, contents, _kept_blocks(source, kept))

    def read_blocks(self, revision: int, names: Iterable[str]) -> dict[str, str]:
        """Blocks of an accepted revision's data, by their names.

        Raises StoreDamaged when they are not what was written.
        """
        with telling(f"The data of revision {revision} cannot be read"):
            manifest = self.manifest(revision)
            return read_blocks(self._files, self.directory, manifest, names)

    def manifest(self, revision: int) -> Manifest:
        """The manifest of an accepted revision. Raises StoreDamaged when it is not what was written."""
        accepted = self._writer.publisher.accepted if self._writer else None
        if accepted is not None and accepted.revision == revision:
            return accepted
        with telling(f"Revision {revision} cannot be read"):
            return read_manifest(self._files, self.directory, revision)

    def publish(self, staged: Staged, manifest: Manifest) -> None:
        """Accept what is staged, with the manifest that `staged.manifest` made. Once done, it survives anything.

        Raises StoreError when nothing was accepted: stage the same again to try again. Raises StoreUncertain when the
        next start must find out; until then the store takes no more writing.
        """
        with telling(f"Revision {staged.revision} could not be published, nothing changed"):
            self._writing.publisher.publish(staged, manifest)

    def discard(self, staged: Staged) -> None:
        """Remove what is staged and will not be published."""
        with telling(f"The files of the rejected revision {staged.revision} could not be removed"):
            self._writing.publisher.discard(staged)

    def append(self, record: Record, *, flush: bool = False) -> None:
        """Add `record` to the log; with `flush`, wait until it is on disk. Raises StoreError when the disk refuses."""
        with telling("The log could not be written"):
            writer = self._writing
            writer.publisher.refuse_if_uncertain()
            writer.log.append(record, flush=flush)

    def prune(self, keep: int) -> int:
        """Remove all but the newest `keep` revisions; return how many those were.

        The accepted one always stays. Raises StoreError when the disk refuses: nothing changed, or what is left is
        removed when the store is opened next.
        """
        with telling("The revisions could not be pruned"):
            writer = self._writing
            writer.publisher.refuse_if_uncertain()
            accepted, lowest = self._accepted(), lowest_kept(self._files, self.directory)
            numbers = [number for number in revision_numbers(self._files, self.directory) if number >= lowest]
            kept = max((accepted or 0) - max(keep, 1) + 1, lowest)
            removed = [number for number in numbers if number < kept]
            if removed:
                prune(self._files, writer.root, kept)
                writer.log.append({"event": "pruned", "lowest": kept, "time": stamp(time.time())})
            return len(removed)

    def close(self) -> None:
        """Drop what is staged, give the lock back; reading still works. A second call does nothing."""
        writer, self._writer = self._writer, None
        if writer:
            with telling(f"The store {self.directory} could not be closed"):
                writer.close()

    def _accepted(self) -> int | None:
        if self._writer:
            accepted = self._writer.publisher.accepted
            return accepted.revision if accepted else None
        return examine(self._files, self.directory)[0]

    @property
    def _writing(self) -> Writer:
        if self._writer is None:
            raise StoreError(f"The store {self.directory} is not open for writing.")
        return self._writer


def _kept_blocks(source: Manifest | None, names: Iterable[str]) -> dict[str, Kept]:
    """The blocks called `names` as files of the revision `source`."""
    found = {}
    entries = {entry.name: entry for entry in source.files} if source else {}
    for name in map(block_file, names):
        if source is None or name not in entries:
            raise StoreDamaged(f"The data that the last revision should have in {name} is not there.")
        found[name] = Kept(entries[name], source.revision)
    return found
