"""What the clients of all roles have in common: the process behind them, and its end."""

from __future__ import annotations

import asyncio

from jiti_tui.kernel.process import Worker


class Client:
    """Speaks to one worker process."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    @property
    def died(self) -> asyncio.Future[str]:
        """Done once the process is dead: a sentence that says so. Wait with `asyncio.wait`, which never cancels it."""
        return self.worker.died

    @property
    def dead(self) -> bool:
        """Whether the process is known to be dead."""
        return not self.worker.alive

    def kill(self, cause: str = "") -> None:
        """End the process at once, whatever it is doing; `cause`, if given, goes into the sentence of `died`."""
        self.worker.kill(cause)

    async def close(self) -> None:
        """End the process and wait until it is dead."""
        self.kill()
        await self.worker.wait_dead()
