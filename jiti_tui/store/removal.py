"""Removing directories of the store, file by file."""

from __future__ import annotations

from pathlib import Path

from jiti_tui.store.files import Files


def remove_tree(files: Files, directory: Path) -> None:
    """Remove `directory` and all that is in it; a link in it is removed, never followed. Raises OSError."""
    for name in files.list(directory):
        if files.is_directory(directory / name):
            remove_tree(files, directory / name)
        else:
            files.remove(directory / name)
    files.remove_directory(directory)
