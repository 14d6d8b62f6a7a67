"""Throwaway forks: one for the time of a question or two, or many side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.runner import Runner

T = TypeVar("T")


@asynccontextmanager
async def throwaway(process: Holder | Candidate) -> AsyncIterator[Runner]:
    """Fork a runner from `process`; it is killed at the end, and nobody waits for its death."""
    runner = await process.runner()
    try:
        yield runner
    finally:
        runner.worker.kill()


def cancel_begun(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel `tasks` in the loop's next turn: each has begun by then, and can say that it was stopped."""
    for task in tasks:
        asyncio.get_running_loop().call_soon(task.cancel)


async def gathered(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all, in order. The first error ends the others before it is raised."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
