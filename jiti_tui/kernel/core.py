"""The kernel's core image: built once for each SBCL and kernel, kept in the user's cache, never trusted to be whole."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.cache import BUILD_SECONDS, building_alone, cache_directory, prune_cores
from jiti_tui.kernel.resources import kernel_hash, lisp_directory
from jiti_tui.kernel.sbcl import Sbcl, run_script


async def ensure_core(sbcl: Sbcl, *, rebuild: bool = False) -> Path:
    """Return the core for `sbcl` and the present kernel, building it when it is not in the cache.

    `rebuild` builds it in any case: the caller has found that it does not start. Two processes may do this at once.
    Raises `WorkerError` when the cache cannot be used or the build fails.
    """
    directory = await asyncio.to_thread(cache_directory)
    lisp = lisp_directory()
    kernel = await asyncio.to_thread(kernel_hash, lisp)
    key = hashlib.sha256(f"{sbcl.build_id} {kernel}".encode()).hexdigest()
    core = directory / f"kernel-{key[:32]}.core"
    if core.exists() and not rebuild:
        with suppress(OSError):
            os.utime(core)  # those that have not been used for longest are dropped first
        return core
    async with building_alone(directory):
        if rebuild or not core.exists():  # another process may have built it while this one waited
            await _build(sbcl, lisp / "build.lisp", core)
            await asyncio.to_thread(prune_cores, directory, "kernel", core)
    return core


async def _build(sbcl: Sbcl, script: Path, core: Path) -> None:
    aside = core.with_name(f"{core.name}.{secrets.token_hex(8)}.tmp")
    try:
        code, output = await run_script(sbcl.command, "--load", script, aside, seconds=BUILD_SECONDS, cwd=core.parent)
        if code != 0 or not aside.exists():
            log = core.with_name("build.log")
            log.write_bytes(output)
            raise WorkerError(f"SBCL {sbcl.version} ({sbcl.command}) could not build the kernel's core: see {log}.")
        aside.replace(core)
    except TimeoutError as error:
        raise WorkerError(f"{sbcl.command} did not build the kernel's core within {BUILD_SECONDS} s.") from error
    except OSError as error:
        raise WorkerError(f"The kernel's core cannot be kept in {core.parent}: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
