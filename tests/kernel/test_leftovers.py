"""What code of a world has started ends with the keeper, also when that is killed and there is no sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.sandbox import Sandbox

StartKeeper = Callable[..., Awaitable[Keeper]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]

SECONDS = 20.0


def programs(marker: str) -> int:
    """How many programs run that have `marker` on their command line."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += marker in (folder / "cmdline").read_text(errors="replace").split("\0")
    return found


async def test_nothing_survives_a_killed_keeper(
    start_keeper: StartKeeper, either_sandbox: Sandbox, wait_until: Wait
) -> None:
    keeper = await start_keeper(either_sandbox)
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    await world.adopt(0, 0)
    candidate = await world.attempt(0, 1)
    assert isinstance(candidate, Candidate)
    marker = f"94{os.getpid()}"
    daemons = f"exec >/dev/null 2>&1; sleep {marker} & setsid setsid sleep {marker} &"
    started = await candidate.evaluate(0, f'(sb-ext:run-program "/bin/sh" (list "-c" "{daemons}")) 1', SECONDS)
    assert isinstance(started, Value)
    await wait_until(lambda: programs(marker) == 2)
    os.kill(keeper.worker.pid, signal.SIGKILL)
    await asyncio.wait({keeper.worker.died}, timeout=SECONDS)
    await keeper.close()
    await wait_until(lambda: programs(marker) == 0)
