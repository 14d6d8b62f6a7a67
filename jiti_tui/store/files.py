"""The one layer through which the store touches the disk, so that tests can break it under the real code."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from jiti_tui.frozen import frozen

_NEVER_FOLLOW = os.O_NOFOLLOW | os.O_CLOEXEC

NO_FILE = 0
"""The errno where something stands at a path that is no regular file: the system has none for it."""


@frozen
class Handle:
    """An open file or directory, and the path that an error about it names."""

    descriptor: int
    path: Path


class Files:
    """The file operations of the store. `waits` counts how often the caller has waited for the disk.

    Every method raises OSError with the path at fault in `filename`.
    """

    def __init__(self) -> None:
        self.waits = 0

    def make_directory(self, path: Path) -> None:
        """Make a directory that only its owner can enter."""
        path.mkdir(mode=0o700)

    def create(self, path: Path) -> Handle:
        """Make a new file, readable by its owner alone, for writing; a name that is taken is an error."""
        return Handle(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEVER_FOLLOW, 0o600), path)

    def open_shared(self, path: Path) -> Handle:
        """Open a file that outlives a session (the log, the lock) to append to it; make it if it is missing."""
        return Handle(_open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), path)

    def open_directory(self, path: Path) -> Handle:
        """Open a directory to flush it. Its path may lead through links: the user may keep a store on another disk."""
        return Handle(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), path)

    def close(self, handle: Handle) -> None:
        """Close `handle`; it is closed even when this raises."""
        with _naming(handle.path):
            os.close(handle.descriptor)

    def write(self, handle: Handle, content: bytes) -> None:
        """Write all of `content`; an error can leave a part of it written."""
        rest = memoryview(content)
        with _naming(handle.path):
            while rest:
                rest = rest[os.write(handle.descriptor, rest) :]

    def size(self, handle: Handle) -> int:
        """The length of an open file in bytes."""
        with _naming(handle.path):
            return os.fstat(handle.descriptor).st_size

    def truncate(self, handle: Handle, size: int) -> None:
        """Cut the file to its first `size` bytes."""
        with _naming(handle.path):
            os.ftruncate(handle.descriptor, size)

    def flush(self, handle: Handle) -> None:
        """Flush one file or directory. The store calls `flush_together`, which counts the wait."""
        with _naming(handle.path):
            os.fsync(handle.descriptor)

    def flush_together(self, *handles: Handle) -> None:
        """Flush all `handles` at the same time and wait once. The first error is raised when all have ended."""
        self.waits += 1
        if len(handles) == 1:
            self.flush(handles[0])
            return
        with ThreadPoolExecutor(len(handles), thread_name_prefix="flush") as pool:
            flushes = [pool.submit(self.flush, handle) for handle in handles]
        for flush in flushes:
            flush.result()

    def rename(self, source: Path, target: Path) -> None:
        """Move `source` to `target`; a file that is there is replaced in one step."""
        source.rename(target)

    def link(self, source: Path, target: Path) -> None:
        """Give the file `source` a second name; never a link's target, never over something."""
        os.link(source, target, follow_symlinks=False)

    def remove(self, path: Path) -> None:
        """Remove the name of a file."""
        path.unlink()

    def remove_directory(self, path: Path) -> None:
        """Remove an empty directory."""
        path.rmdir()

    def lock(self, handle: Handle) -> bool:
        """Take the exclusive lock on an open file without waiting; False when another process has it."""
        with _naming(handle.path):
            try:
                fcntl.flock(handle.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def list(self, path: Path) -> list[str]:
        """The names in a directory, sorted."""
        return sorted(entry.name for entry in path.iterdir())

    def is_directory(self, path: Path) -> bool:
        """Whether `path` itself, not what a link there leads to, is a directory."""
        return stat.S_ISDIR(_mode(path))

    def is_file(self, path: Path) -> bool:
        """Whether `path` itself, not what a link there leads to, is a regular file."""
        return stat.S_ISREG(_mode(path))

    def exists(self, path: Path) -> bool:
        """Whether the name `path` is there, be it a link that leads nowhere. Not knowing is an error, not a no."""
        return _mode(path) != 0

    def length(self, path: Path) -> int:
        """The length in bytes of the regular file `path`. Anything else there is an error."""
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(NO_FILE, "this is no regular file", str(path))
        return status.st_size

    def read(self, path: Path, most: int | None = None) -> bytes:
        """The content of a regular file, at most its first `most` bytes. A link, a pipe or a directory is an error."""
        with _naming(path), os.fdopen(_open_regular(path, os.O_RDONLY), "rb") as file:
            return file.read(-1 if most is None else most)


def _mode(path: Path) -> int:
    """The mode of what is at `path` itself, 0 where nothing is."""
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _open_regular(path: Path, flags: int) -> int:
    # Opening a pipe that nobody writes to must not wait.
    descriptor = os.open(path, flags | os.O_NONBLOCK | _NEVER_FOLLOW, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(NO_FILE, "this is no regular file", str(path))
    return descriptor


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Put `path` into an error that the system gave for a descriptor."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
