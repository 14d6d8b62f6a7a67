"""Has a process load what a core is to hold, and save itself as that core, in a sandbox of its own."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.command import saving_command
from jiti_tui.kernel.launcher import Launched
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.seccomp import open_filter
from jiti_tui.kernel.wire import HEADER_BYTES, MAX_BYTES, Message, decode

MAX_CORE_BYTES = 1024 * 1024 * 1024


async def save_core(
    sbcl: Sbcl,
    sandbox: Sandbox,
    core: Path,
    work: Path,
    request: bytes,
    *,
    heap_mb: int,
    seconds: float,
    readable: Sequence[Path] = (),
) -> Message:
    """Have a process that starts from `core` do what the frame `request` asks, and save itself as `work`/core.

    `work` is an empty folder, the only one in which it can write; it sees the folders `readable` besides. Returns its
    reply, after which the core is a whole file, or `failed`, which says why there is none. Raises WorkerError when the
    process says nothing or takes longer than `seconds`.
    """
    (work / "request").write_bytes(request)
    with open_filter() as seccomp:
        command = saving_command(
            sbcl, core, heap_mb=heap_mb, work=work, readable=readable, bwrap=sandbox.bwrap, seccomp=seccomp
        )
        launched = await Launched.start(
            command.argv,
            environment=command.environment,
            descriptors=[seccomp] if seccomp else [],
            watched=True,
        )
    try:
        await asyncio.wait({launched.exited}, timeout=seconds)
        if not launched.exited.done():
            raise WorkerError(f"It took longer than {seconds:.0f} s.")
    finally:
        if not launched.exited.done():
            await launched.kill()
    reply = _reply(work)
    if reply is not None and (reply.kind == "failed" or _is_file(work / "core", MAX_CORE_BYTES)):
        return reply
    raise WorkerError(launched.take_tail()[-400:] or "SBCL said nothing.")


def _reply(work: Path) -> Message | None:
    path = work / "reply"
    return decode(path.read_bytes()[HEADER_BYTES:]) if _is_file(path, MAX_BYTES + HEADER_BYTES) else None


def _is_file(path: Path, most: int) -> bool:
    """Whether `path` is a file of at most `most` bytes, and no link: code of a world has run beside it."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= most
