"""Reads a file that somebody has named, which may be anything: a folder, a pipe to which nobody writes, too much."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_NO_FILE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO}


def read_regular(path: Path, most: int) -> bytes | None:
    """The first `most` bytes of the regular file `path`; None where there is none, or something else.

    Raises OSError when it cannot be read.
    """
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NO_FILE:
            return None
        raise
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(descriptor)
