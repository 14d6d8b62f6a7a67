"""A throwaway fork for the time of a question or two."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.runner import Runner


@asynccontextmanager
async def throwaway(process: Holder | Candidate) -> AsyncIterator[Runner]:
    """Fork a runner from `process`; it is killed at the end, and nobody waits for its death."""
    runner = await process.runner()
    try:
        yield runner
    finally:
        runner.worker.kill()
