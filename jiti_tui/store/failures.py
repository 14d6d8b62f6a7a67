"""What the user is told when the disk refuses something."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from jiti_tui.errors import StoreError
from jiti_tui.store.files import NO_FILE

_READ = "To look at it as it is: jiti-tui open --read-only WORLD."

_WRONG_KIND = "Something else stands in its place: move that away and try again."

_ADVICE = {
    errno.ENOSPC: "The disk is full: free some space and try again.",
    errno.EDQUOT: "The disk quota is used up: free some space and try again.",
    errno.EROFS: f"The file system is read-only: make it writable, or choose another place with --store. {_READ}",
    errno.EACCES: f"Check its permissions, or choose another place with --store. {_READ}",
    errno.EPERM: f"Check its permissions, or choose another place with --store. {_READ}",
    errno.EIO: "The disk reports a fault: check it before you go on.",
    NO_FILE: _WRONG_KIND,
    errno.EISDIR: _WRONG_KIND,
    errno.ENOTDIR: "A file stands where a folder should: choose another place with --store.",
    errno.ELOOP: _WRONG_KIND,
    errno.EINVAL: "The file system does not support this: choose another place with --store.",
    errno.EOPNOTSUPP: "The file system does not support this: choose another place with --store.",
}


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Turn the system's error into a StoreError that says `what` failed, for which file, why, and what to do."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(-1 if error.errno is None else error.errno, "Check the disk and try again.")
        raise StoreError(f"{what}: {error.strerror} ({error.filename}). {advice}") from error
