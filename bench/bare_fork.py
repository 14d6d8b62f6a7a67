"""An SBCL that does nothing but fork: what an attempt's process costs at least."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sbcl import Sbcl


@asynccontextmanager
async def bare_forks(sbcl: Sbcl, *, heap_mb: int, base: str = "") -> AsyncIterator[Callable[[], Awaitable[float]]]:
    """Start an SBCL with the kernel and `base`, Lisp source. What is yielded forks once: the seconds it takes."""
    options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{heap_mb}MB", "--end-runtime-options")
    process = await asyncio.create_subprocess_exec(
        sbcl.command,
        *(*options, "--no-sysinit", "--no-userinit", "--disable-debugger"),
        *("--load", Path(__file__).with_name("fork.lisp")),
        *("--eval", f"(progn {base})", "--eval", "(fork-for-ever)"),
        cwd=lisp_directory(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    asked, answered = process.stdin, process.stdout
    assert asked is not None
    assert answered is not None

    async def bare_fork() -> float:
        started = time.perf_counter()
        asked.write(b"\n")
        if not await answered.readline():
            raise WorkerError("The process that forks for comparison has ended; what it said is above.")
        return time.perf_counter() - started

    try:
        yield bare_fork
    finally:
        asked.close()
        await process.wait()
