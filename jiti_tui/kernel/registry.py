"""The living workers of one keeper, and how another one comes among them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from jiti_tui.errors import ForkFailed, WorkerDied, WorkerError
from jiti_tui.kernel.listener import HELLO_SECONDS, Expected, Listener
from jiti_tui.kernel.messages import Failed, Forked, Reply, Stale
from jiti_tui.kernel.process import Worker
from jiti_tui.sexp import Keyword, Writable

FORK_SECONDS = 10.0
"""How long a fork may take with all that stops for it. A process that is asked longer is stopped or stuck."""


class Registry:
    """Every worker of one keeper that has said hello and is alive.

    `on_death` is called when one of them has died, `last_words` for what one that dies has left on standard error.
    """

    def __init__(
        self, listener: Listener, on_death: Callable[[Worker], None], last_words: Callable[[], str] = str
    ) -> None:
        self._listener = listener
        self._on_death = on_death
        self._last_words = last_words
        self.workers: set[Worker] = set()
        self.sweeping = asyncio.Lock()
        """Held while the keeper ends its children that are not among `workers`, and by all that gives it children."""

    def admit(self, expected: Expected) -> Worker:
        """Make a worker of the connection that has arrived."""
        worker = Worker(expected.take(), self._remove, self._last_words)
        self.workers.add(worker)
        return worker

    async def fork(self, parent: Worker, role: str) -> Worker:
        """Have `parent` fork a worker of `role`. Raises `ForkFailed` when it cannot, `WorkerDied` when it dies."""
        born = await self._bear(parent, role, "fork", role=Keyword(role))
        if isinstance(born, Worker):
            return born
        raise parent.unexpected(born)

    async def retire(self, worker: Worker, cause: str) -> None:
        """Kill a worker whose own children live on: the keeper adopts them, so this does not come amid a sweep."""
        async with self.sweeping:
            worker.kill(cause)

    async def attempt(self, world: Worker, generation: int, number: int) -> Worker | Stale:
        """As `fork`, for a candidate; `Stale` when the world has another generation."""
        born = await self._bear(world, "candidate", "attempt", generation=generation, number=number)
        if isinstance(born, Worker | Stale):
            return born
        raise world.unexpected(born)

    async def _bear(self, parent: Worker, role: str, kind: str, /, **fields: Writable) -> Worker | Reply:
        expected = self._listener.expect(role)
        try:
            reply = await parent.answer(parent.send(kind, nonce=expected.nonce, **fields), seconds=FORK_SECONDS)
            if isinstance(reply, Failed):
                raise ForkFailed(f"The {parent.role} could not fork a {role}: {reply.reason}")
            if not isinstance(reply, Forked):
                return reply
            either: set[asyncio.Future[Any]] = {expected.connection, parent.died}
            await asyncio.wait(either, timeout=HELLO_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not expected.connection.done():
                raise WorkerDied(f"The {role} process that the {parent.role} forked has not said hello.")
            if expected.connection.result().inner_pid != reply.pid:
                raise WorkerError(f"Another process than the {role} that was forked has said hello.")
            return self.admit(expected)
        finally:
            self._listener.forget(expected)

    def _remove(self, worker: Worker) -> None:
        self.workers.discard(worker)
        self._listener.release(worker.pid)
        self._on_death(worker)
