"""The files that a new world begins with: copies of those in the folders that `[files]` of world.toml names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from jiti_tui.errors import WorldFolderError
from jiti_tui.file_names import MAX_FILES, name_problem
from jiti_tui.world.folder import World


def read_initial_files(world: World) -> dict[str, bytes]:
    """The files by name, `ADAPTER/PATH`, in the order of the names' code points; empty folders are left out.

    Raises WorldFolderError, with the file at fault: a link or a special file, a name that no file of a world can have,
    more than `files_mb`.
    """
    found: dict[str, bytes] = {}
    room = world.limits.files_mb * 1024 * 1024
    for adapter, folder in world.files:
        for path in _regular_files(world, folder):
            name = f"{adapter}/{path.relative_to(folder).as_posix()}"
            problem = name_problem(name)
            if problem is not None:
                raise WorldFolderError(f"{_shown(world, path)} cannot be a file of the world: {name!r} {problem}.")
            if len(found) == MAX_FILES:
                raise WorldFolderError(f"{_shown(world, path)} is one file too many: {MAX_FILES} can be kept.")
            content = _read(world, path, room)
            room -= len(content)
            found[name] = content
    return dict(sorted(found.items()))


def _regular_files(world: World, folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise _unreadable(world, folder, error) from error
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _regular_files(world, Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        else:
            shown = _shown(world, Path(entry.path))
            raise WorldFolderError(f"{shown} is a link or no regular file: a world begins with regular files only.")


def _read(world: World, path: Path, room: int) -> bytes:
    try:
        # What was a regular file may be a pipe by now, for whose other end nothing must wait.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise WorldFolderError(f"{_shown(world, path)} is no regular file any more.")
            content = file.read(room + 1)
    except OSError as error:
        raise _unreadable(world, path, error) from error
    if len(content) > room:
        raise WorldFolderError(
            f"{_shown(world, path)} makes the files larger than {world.limits.files_mb} MB together: "
            "use smaller ones, or raise `files_mb` in [limits]."
        )
    return content


def _unreadable(world: World, path: Path, error: OSError) -> WorldFolderError:
    return WorldFolderError(f"{_shown(world, path)} cannot be read: {error.strerror}. Make it readable.")


def _shown(world: World, path: Path) -> str:
    return ascii(world.shown(path))[1:-1]
