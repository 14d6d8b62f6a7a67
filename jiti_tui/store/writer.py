"""What the one who may write to a store holds: its lock, its directory, its log and its publisher."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

from jiti_tui.errors import StoreError
from jiti_tui.store.files import Files
from jiti_tui.store.layout import ARCHIVE, CURRENT, LOCK, LOG, MIGRATING, NEXT, PRUNED, PRUNED_NEXT, revision_number
from jiti_tui.store.lock import take_lock
from jiti_tui.store.log_writer import LogWriter
from jiti_tui.store.manifest import Steps
from jiti_tui.store.publish import Publisher
from jiti_tui.store.recovery import recover
from jiti_tui.store.segments import segment_number

_OURS = frozenset({CURRENT, NEXT, LOG, LOCK, ARCHIVE, PRUNED, PRUNED_NEXT, MIGRATING})


class Writer:
    """Locks and recovers the store in `directory`, made if it is missing and migrated by `steps` if it is older.

    Raises OSError and StoreError, and then holds nothing.
    """

    def __init__(self, files: Files, directory: Path, steps: Steps) -> None:
        with ExitStack() as held:
            if not files.exists(directory):
                with suppress(FileExistsError):  # another session makes it at this moment: the lock decides
                    files.make_directory(directory)
            _refuse_another_kind(files, directory)
            held.callback(files.close, take_lock(files, directory / LOCK))
            root = files.open_directory(directory)
            held.callback(files.close, root)
            accepted, self.recovery = recover(files, root, steps)
            if accepted is None:
                parent = files.open_directory(directory.parent)
                held.callback(files.close, parent)
                files.flush_together(parent)
            self.root = root
            self.publisher = Publisher(files, root, accepted)
            self.log = LogWriter(
                files, directory, lambda: self.publisher.accepted.revision if self.publisher.accepted else None
            )
            held.callback(self.log.close)
            held.callback(self.publisher.close)
            self._held = held.pop_all()

    def close(self) -> None:
        """Drop what is staged and give everything back, the lock last. A second call does nothing."""
        self._held.close()


def _is_ours(name: str) -> bool:
    return name in _OURS or revision_number(name) is not None or segment_number(name) is not None


def _refuse_another_kind(files: Files, directory: Path) -> None:
    names = files.list(directory)
    foreign = [name for name in names if not _is_ours(name)]
    if foreign and CURRENT not in names:
        raise StoreError(
            f"{directory} is no store: it holds {foreign[0]}. Give an empty or a new directory with --store."
        )
