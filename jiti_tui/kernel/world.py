"""The world process: it holds the accepted world, and is the checkpoint while an attempt runs."""

from __future__ import annotations

from collections.abc import Mapping

from jiti_tui.errors import ForkFailed, WorkerError
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Accepted, Adopted, Failed, Restored, Stale
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import FORK_SECONDS, Registry


class World(Holder):
    """The accepted world. `revision` and `generation` are what the process has last told."""

    def __init__(
        self,
        worker: Worker,
        registry: Registry,
        revision: int = 0,
        generation: int = 0,
        files: Mapping[str, bytes] | None = None,
    ) -> None:
        super().__init__(worker, registry, files)
        self.frozen = False
        """It is the checkpoint of an attempt, from the first candidate on until it is restored."""
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
        # Before the reply: a world whose caller is cancelled has frozen all the same, and is to be restored.
        before, self.frozen = self.frozen, True
        try:
            born = await self._registry.attempt(self.worker, generation, number)
        except ForkFailed:
            self.frozen = before
            raise
        if isinstance(born, Stale):
            self.frozen = before
            return born
        return Candidate(born, self._registry, self)

    async def restore(self) -> None:
        """Say that this is the accepted world, and that no attempt is under way: its threads run from here on.

        Raises WorkerError when an adapter cannot make undone what the last attempt did; then the process is none to go
        on with.
        """
        reply = await self.worker.ask("restore", seconds=FORK_SECONDS)
        if isinstance(reply, Failed):
            raise WorkerError(reply.reason)
        if not isinstance(reply, Restored):
            raise self.worker.unexpected(reply)
        self.frozen = False

    async def succeeded_by(self, worker: Worker, accepted: Accepted, files: Mapping[str, bytes]) -> World:
        """The candidate in `worker` is the world now, with these files: end this process, and return the new world."""
        worker.role = "world"
        await self._registry.retire(self.worker, "another process is the world now")
        return World(worker, self._registry, accepted.revision, accepted.generation, files)
