"""The user's cache folder, which holds compiled code alone: what is lost there is built again."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jiti_tui.errors import WorkerError

BUILD_SECONDS = 300
KEPT_CORES = 4
"""Of each kind: a core is 40 to 100 MB."""


def cache_directory() -> Path:
    """The folder of the cores, made where it is missing. They are run, so no other user may write there.

    Raises `WorkerError` when it cannot be had.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    directory = (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "jiti-tui"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = directory.stat()
        if status.st_uid != os.geteuid():
            raise WorkerError(f"{directory} belongs to another user. Set XDG_CACHE_HOME to a folder of your own.")
        if stat.S_IMODE(status.st_mode) != 0o700:
            directory.chmod(0o700)
    except (OSError, RuntimeError) as error:
        raise WorkerError(
            f"No cache for the kernel's core: {error}. Set XDG_CACHE_HOME to a folder of your own."
        ) from error
    return directory


@asynccontextmanager
async def building_alone(directory: Path) -> AsyncIterator[None]:
    """Hold the lock of the cache: what is built there is built by one process at a time."""
    try:
        descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise WorkerError(f"No core can be written to {directory}: {error.strerror}.") from error
    try:
        await _lock(descriptor, directory)
        yield
    finally:
        os.close(descriptor)


def prune_cores(directory: Path, kind: str, core: Path) -> None:
    """Drop what killed builds of a `kind` of core have left, and all but `core` and those that were used last.

    The modification time of a core says when that was.
    """
    for path in directory.glob(f"{kind}-*.tmp*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    others = sorted((path for path in directory.glob(f"{kind}-*.core") if path != core), key=_modified)
    for path in others[: -(KEPT_CORES - 1)]:
        path.unlink(missing_ok=True)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another session has found it damaged
        return 0.0


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def _lock(descriptor: int, directory: Path) -> None:
    try:
        async with asyncio.timeout(BUILD_SECONDS):
            while not _locked(descriptor):  # noqa: ASYNC110 - nothing tells that the lock is free
                await asyncio.sleep(0.05)
    except TimeoutError as error:
        raise WorkerError(f"Another process has been building a core in {directory} for {BUILD_SECONDS} s.") from error


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
