"""The world process: it holds the accepted world, and is the checkpoint while an attempt runs."""

from __future__ import annotations

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Accepted, Adopted, Stale
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import Registry


class World(Holder):
    """The accepted world. `revision` and `generation` are what the process has last told."""

    def __init__(self, worker: Worker, registry: Registry, revision: int = 0, generation: int = 0) -> None:
        super().__init__(worker, registry)
        self.revision = revision
        self.generation = generation

    async def adopt(self, revision: int, generation: int) -> None:
        """Give the world its revision, and a generation that is not older than its own."""
        reply = await self.worker.ask("adopt", revision=revision, generation=generation)
        if not isinstance(reply, Adopted):
            raise self.worker.unexpected(reply)
        self.revision = reply.revision
        self.generation = reply.generation

    async def attempt(self, generation: int, number: int) -> Candidate | Stale:
        """Fork a candidate for attempt `number`, proposed for a view of `generation`; `Stale` when that has passed."""
        born = await self._registry.attempt(self.worker, generation, number)
        return born if isinstance(born, Stale) else Candidate(born, self._registry, self)

    async def succeeded_by(self, worker: Worker, accepted: Accepted) -> World:
        """The candidate in `worker` is the world now: end this process, and return the new world."""
        worker.role = "world"
        await self._registry.retire(self.worker, "another process is the world now")
        return World(worker, self._registry, accepted.revision, accepted.generation)
