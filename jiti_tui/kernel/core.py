"""The kernel's core image: built once for each SBCL and kernel, kept in the user's cache, never trusted to be whole."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import secrets
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.resources import kernel_hash, lisp_directory
from jiti_tui.kernel.sbcl import Sbcl

KEPT_CORES = 4
BUILD_SECONDS = 300


async def ensure_core(sbcl: Sbcl, *, rebuild: bool = False) -> Path:
    """Return the core for `sbcl` and the present kernel, building it when it is not in the cache.

    `rebuild` builds it in any case: the caller has found that it does not start. Two processes may do this at once.
    Raises `WorkerError` when the cache cannot be used or the build fails.
    """
    directory = await asyncio.to_thread(_cache_directory)
    lisp = lisp_directory()
    key = hashlib.sha256(f"{sbcl.build_id} {kernel_hash(lisp)}".encode()).hexdigest()
    core = directory / f"kernel-{key[:32]}.core"
    if core.exists() and not rebuild:
        return core
    async with _building_alone(directory):
        if rebuild or not core.exists():  # another process may have built it while this one waited
            await _build(sbcl, lisp / "build.lisp", core)
            await asyncio.to_thread(_prune, directory, core)
    return core


def _cache_directory() -> Path:
    """The folder of the cores. They are run, so no other user may write there."""
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
async def _building_alone(directory: Path) -> AsyncIterator[None]:
    try:
        descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise WorkerError(f"No core can be written to {directory}: {error.strerror}.") from error
    try:
        await _lock(descriptor, directory)
        yield
    finally:
        os.close(descriptor)


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


async def _build(sbcl: Sbcl, script: Path, core: Path) -> None:
    aside = core.with_name(f"{core.name}.{secrets.token_hex(8)}.tmp")
    process = await asyncio.create_subprocess_exec(
        sbcl.command,
        *("--noinform", "--non-interactive", "--no-sysinit", "--no-userinit", "--load", script, aside),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=core.parent,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), BUILD_SECONDS)
        if process.returncode != 0 or not aside.exists():
            log = core.with_name("build.log")
            log.write_bytes(output)
            raise WorkerError(f"SBCL {sbcl.version} ({sbcl.command}) could not build the kernel's core: see {log}.")
        aside.replace(core)
    except TimeoutError as error:
        raise WorkerError(f"{sbcl.command} did not build the kernel's core within {BUILD_SECONDS} s.") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        aside.unlink(missing_ok=True)


def _prune(directory: Path, core: Path) -> None:
    """Drop what builds that were killed have left, and all but the newest cores: each is about 40 MB."""
    for path in directory.glob("kernel-*.tmp*"):
        path.unlink(missing_ok=True)
    others = sorted(
        (path for path in directory.glob("kernel-*.core") if path != core), key=lambda path: path.stat().st_mtime
    )
    for path in others[: -(KEPT_CORES - 1)]:
        path.unlink(missing_ok=True)
