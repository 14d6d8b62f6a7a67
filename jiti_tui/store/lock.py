"""One controller at a time: the lock of a store."""

from __future__ import annotations

import errno
import os
import time
from contextlib import ExitStack
from pathlib import Path

from jiti_tui.errors import StoreError, StoreLocked
from jiti_tui.store.files import Files, Handle
from jiti_tui.store.manifest import stamp
from jiti_tui.store.record import decode, encode

_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


def take_lock(files: Files, path: Path) -> Handle:
    """Lock the file `path`, made if it is missing and never removed, and write into it who holds it since when.

    The lock goes with the process: it is free as soon as its holder has ended, however that was. Closing the handle
    gives it back. Raises StoreLocked, naming the holder, and StoreError where the file system knows no locks.
    """
    with ExitStack() as failed:
        handle = files.open_shared(path)
        failed.callback(files.close, handle)
        if not _locked(files, handle):
            holder = _holder(files.read(path, 1000))
            raise StoreLocked(
                f"{path.parent} is in use by {holder}. "
                "End that session first, or look on beside it: jiti-tui open --read-only WORLD.",
                holder,
            )
        files.truncate(handle, 0)
        files.write(handle, _signature())
        failed.pop_all()
    return handle


def _locked(files: Files, handle: Handle) -> bool:
    try:
        return files.lock(handle)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        place = handle.path.parent
        raise StoreError(
            f"{place} is on a file system without locks. Choose another with --store, or look at it as it is: "
            "jiti-tui open --read-only WORLD."
        ) from error


def _signature() -> bytes:
    return encode({"pid": os.getpid(), "host": os.uname().nodename, "since": stamp(time.time())}) + b"\n"


def _holder(content: bytes) -> str:
    """Who wrote `content` into the lock; its holder may not have come to that yet."""
    try:
        fields = decode(content)
        pid, host, since = fields["pid"], fields["host"], fields["since"]
    except (ValueError, KeyError):
        return "another jiti-tui"
    return f"the jiti-tui with process number {pid} on {host}, since {since}"
