"""The candidate: a fork of the world in which one attempt runs, until it becomes the world or is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Abandoned, Accepted, Adopted, Invalid, Paused, Repaired, Resumed, Stale, Value
from jiti_tui.kernel.process import Asked, Worker
from jiti_tui.kernel.registry import Registry

if TYPE_CHECKING:
    from jiti_tui.kernel.world import World


class Candidate(Forks):
    """A candidate. Every request bears the generation of the view that it answers, and may come back `Stale`.

    Evaluated code has a time limit in seconds. When that is over it pauses where it is, as with any other condition
    (`Paused` with the type JITI:TIME-LIMIT); when it does not even do that, the process is killed, and `WorkerDied`
    raised.
    """

    def __init__(self, worker: Worker, registry: Registry, world: World) -> None:
        super().__init__(worker, registry)
        self._world = world
        self._outcome: Asked | None = None

    async def evaluate(self, generation: int, forms: str, seconds: float) -> Value | Paused | Invalid | Stale:
        """Evaluate `forms`, Lisp source, as the attempt's outer evaluation."""
        reply = await self.worker.ask("evaluate", seconds=seconds, generation=generation, forms=forms)
        if isinstance(reply, Value | Paused | Invalid | Stale):
            return reply
        raise self.worker.unexpected(reply)

    async def adopt(self, revision: int, generation: int) -> None:
        """Give the candidate a generation that is not older than its own: its world has moved on."""
        reply = await self.worker.ask("adopt", revision=revision, generation=generation)
        if not isinstance(reply, Adopted):
            raise self.worker.unexpected(reply)

    async def repair(self, generation: int, forms: str, seconds: float) -> Repaired | Paused | Invalid | Stale:
        """Evaluate `forms` inside the pause; `Paused` is one level deeper."""
        reply = await self.worker.ask("repair", seconds=seconds, generation=generation, forms=forms)
        if isinstance(reply, Repaired | Paused | Invalid | Stale):
            return reply
        raise self.worker.unexpected(reply)

    async def resume(self, generation: int, restart: str, arguments: Sequence[str] = ()) -> Resumed | Invalid | Stale:
        """Invoke the restart of that id with arguments, one Lisp datum each. After `Resumed`, `outcome` must follow."""
        asked, outcome = self.worker.send_resume(generation=generation, restart=restart, arguments=list(arguments))
        reply = await self.worker.answer(asked)
        if isinstance(reply, Resumed):
            self._outcome = outcome
            return reply
        if isinstance(reply, Invalid | Stale):
            return reply
        raise self.worker.unexpected(reply)

    async def outcome(self, seconds: float) -> Value | Repaired | Paused:
        """Wait for what comes of the evaluation that `resume` has set going again, a repair's at level 1 and deeper."""
        if self._outcome is None:
            raise WorkerError("Nothing was resumed: there is no outcome to wait for.")
        reply = await self.worker.answer(self._outcome, seconds=seconds)
        self._outcome = None
        if isinstance(reply, Value | Repaired | Paused):
            return reply
        raise self.worker.unexpected(reply)

    async def abandon(self, generation: int) -> Abandoned | Stale:
        """Drop the whole attempt from its pause, and end the process."""
        reply = await self.worker.ask("abandon", generation=generation)
        if isinstance(reply, Stale):
            return reply
        if isinstance(reply, Abandoned):
            await self.close()
            return reply
        raise self.worker.unexpected(reply)

    async def accept(self, revision: int, generation: int) -> World:
        """Make this process the world, at `revision` and the next generation; the process that was the world ends."""
        reply = await self.worker.ask("accept", revision=revision, generation=generation)
        if isinstance(reply, Accepted):
            return await self._world.succeeded_by(self.worker, reply)
        raise self.worker.unexpected(reply)

    async def interrupt(self) -> None:
        """End the evaluation under way as its time limit would."""
        await self.worker.interrupt()
