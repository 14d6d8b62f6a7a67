"""The archive: where recovery moves what is not part of the accepted world. Nothing is ever deleted from it."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain, count
from pathlib import Path

from jiti_tui.store.files import Files, Handle
from jiti_tui.store.layout import ARCHIVE, CURRENT, LOG, MIGRATING, NEXT, PRUNED_NEXT, revision_name, revision_numbers
from jiti_tui.store.replacing import move


class Archive:
    """Moves things of the store whose directory is `root` to `archive/`, each under a name that is free there.

    `names` are those names. The caller holds the lock, so no name is taken by another meanwhile. Methods raise OSError.
    """

    def __init__(self, files: Files, root: Handle) -> None:
        self.names: list[str] = []
        self._files = files
        self._root = root
        self._directory = root.path / ARCHIVE

    def take_unreached(self, current: int | None) -> None:
        """Move CURRENT.tmp, pruned.tmp, migrating and the revisions above `current`.

        Numbers only grow along the chain, so those are what it does not reach.
        """
        root = self._root.path
        for number in revision_numbers(self._files, root):
            if current is None or number > current:
                self._move(root / revision_name(number))
        for pending in (NEXT, PRUNED_NEXT, MIGRATING):
            if self._files.exists(root / pending):
                self._move(root / pending)
        if self.names:
            self._flush()

    def take_damaged_pointer(self) -> None:
        """Move CURRENT, whatever it is: its content is not to be lost, and nothing reads it any more."""
        if self._files.exists(self._root.path / CURRENT):
            self._move(self._root.path / CURRENT)
            self._flush()

    def take_copy(self, copy: Path) -> str:
        """Move `copy`, which is a copy of the store and on disk; return its name in the archive."""
        self._move(copy)
        self._flush()
        return self.names[-1]

    def take_torn_record(self, torn: bytes, offset: int) -> None:
        """Move what follows the log's last newline, `torn` at `offset`: copy it, then cut it off.

        Interrupted in between, it is copied again the next time.
        """
        if not torn:
            return
        with ExitStack() as handles:
            copy = self._files.create(self._free(f"{LOG}-torn-at-{offset}"))
            handles.callback(self._files.close, copy)
            self._files.write(copy, torn)
            self._flush(copy)
            log = self._files.open_shared(self._root.path / LOG)
            handles.callback(self._files.close, log)
            self._files.truncate(log, offset)
            self._files.flush_together(log)

    def _flush(self, *more: Handle) -> None:
        directory = self._files.open_directory(self._directory)
        try:
            self._files.flush_together(self._root, directory, *more)
        finally:
            self._files.close(directory)

    def _move(self, source: Path) -> None:
        move(self._files, source, self._free(source.name))

    def _free(self, name: str) -> Path:
        """A path in the archive that is not taken: `name`, or `name.2` and so on."""
        if not self._files.is_directory(self._directory):
            self._files.make_directory(self._directory)
        taken = set(self._files.list(self._directory))
        free = next(n for n in chain([name], (f"{name}.{i}" for i in count(2))) if n not in taken)
        self.names.append(free)
        return self._directory / free
