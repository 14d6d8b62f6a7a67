"""What the clients of all roles have in common: the process behind them, and its end."""

from __future__ import annotations

from jiti_tui.kernel.process import Worker


class Client:
    """Speaks to one worker process."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    def kill(self, cause: str = "") -> None:
        """End the process at once, whatever it is doing; `cause`, if given, goes into the sentence of `died`."""
        self.worker.kill(cause)

    async def close(self) -> None:
        """End the process and wait until it is dead."""
        self.kill()
        await self.worker.wait_dead()
