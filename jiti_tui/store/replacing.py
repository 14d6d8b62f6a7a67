"""Moving and replacing files of the store: an old file is there until the new one is on disk."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from jiti_tui.store.files import Files, Handle
from jiti_tui.store.waves import new_file


def move(files: Files, source: Path, target: Path) -> None:
    """Rename `source` to `target`. Raises OSError, but not where the rename has happened all the same.

    A network disk can report an error for what it has done.
    """
    try:
        files.rename(source, target)
    except OSError:
        if files.exists(source) or not files.exists(target):
            raise


def replace_file(files: Files, root: Handle, pending: str, name: str, content: bytes) -> None:
    """Make `content` that of the file `name` in the directory `root`, by way of the file `pending` there.

    All of it is on disk when this returns. Raises OSError; then the file holds what it did or `content`.
    """
    source = root.path / pending
    if files.exists(source):
        files.remove(source)
    try:
        handle = new_file(files, source, content)
        try:
            files.flush_together(handle)
        finally:
            files.close(handle)
    except OSError:
        with suppress(OSError):
            files.remove(source)
        raise
    move(files, source, root.path / name)
    files.flush_together(root)
