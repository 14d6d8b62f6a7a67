"""The candidate: a fork of the world in which one attempt runs, until it becomes the world or is dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jiti_tui.errors import ForkFailed, WorkerDied, WorkerError
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import (
    Abandoned,
    Accepted,
    Adopted,
    Dropped,
    Invalid,
    Paused,
    Repaired,
    Resumed,
    Stale,
    Value,
)
from jiti_tui.kernel.process import Asked, Worker, milliseconds
from jiti_tui.kernel.registry import Registry

if TYPE_CHECKING:
    from jiti_tui.kernel.world import World


class Candidate(Forks):
    """A candidate. Every request bears the generation of the view that it answers, and may come back `Stale`.

    Evaluated code has a time limit in seconds. When that is over it pauses where it is, as with any other condition
    (`Paused` with the type JITI:TIME-LIMIT); when it does not even do that, the process is killed, and `WorkerDied`
    raised.

    `worker` is another process after each repair: it is evaluated in a fork, and the process that was paused is its
    savepoint, frozen until the repair is dropped or the attempt ends.
    """

    def __init__(self, worker: Worker, registry: Registry, world: World) -> None:
        super().__init__(worker, registry, world.files)
        self._world = world
        self._outcome: tuple[Asked, float] | None = None
        self._savepoints: list[Worker] = []

    async def evaluate(self, generation: int, forms: str, seconds: float) -> Value | Paused | Invalid | Stale:
        """Evaluate `forms`, Lisp source, as the attempt's outer evaluation."""
        reply = await self.worker.evaluate("evaluate", seconds=seconds, generation=generation, forms=forms)
        if isinstance(reply, Value | Paused | Invalid | Stale):
            return reply
        raise self.worker.unexpected(reply)

    async def adopt(self, revision: int, generation: int) -> None:
        """Give the candidate a generation that is not older than its own: its world has moved on."""
        reply = await self.worker.ask("adopt", revision=revision, generation=generation)
        if not isinstance(reply, Adopted):
            raise self.worker.unexpected(reply)

    async def repair(self, generation: int, forms: str, seconds: float) -> Repaired | Paused | Invalid | Stale:
        """Evaluate `forms` inside the pause; `Paused` is one level deeper.

        Where they are not evaluated, or end their process, the pause is as it was before.
        """
        try:
            process = await self._registry.fork(self.worker, "candidate")
        except ForkFailed as error:
            return Invalid(str(error), 0, 0)
        self._savepoints.append(self.worker)
        self.worker = process
        try:
            reply = await self._repair(generation, forms, seconds)
        except WorkerDied as error:
            self.worker = self._savepoints.pop()
            return Invalid(f"The repair has ended its process; the pause is as it was before. {error}", 0, 0)
        if isinstance(reply, Invalid | Stale):
            process.kill("its repair was refused")
            self.worker = self._savepoints.pop()
        return reply

    async def resume(
        self, generation: int, restart: str, arguments: Sequence[str], seconds: float
    ) -> Resumed | Dropped | Invalid | Stale:
        """Invoke the restart of that id with arguments, one Lisp datum each. After `Resumed`, `outcome` must follow.

        After `Dropped` the candidate is at the pause before its latest repair, with that pause's menu, in the
        generation that is told.
        """
        asked, outcome = self.worker.send_resume(
            generation=generation, restart=restart, arguments=list(arguments), milliseconds=milliseconds(seconds)
        )
        reply = await self.worker.answer(asked)
        if isinstance(reply, Resumed):
            self._outcome = (outcome, seconds)
            return reply
        if isinstance(reply, Invalid | Stale):
            return reply
        if isinstance(reply, Dropped) and self._savepoints:
            self.worker.kill("its repair was dropped")
            self.worker = self._savepoints.pop()
            await self.adopt(self._world.revision, reply.generation)
            return reply
        raise self.worker.unexpected(reply)

    async def outcome(self) -> Value | Repaired | Paused:
        """Wait for what comes of the evaluation that `resume` has set going again, a repair's at level 1 and deeper."""
        if self._outcome is None:
            raise WorkerError("Nothing was resumed: there is no outcome to wait for.")
        outcome, seconds = self._outcome
        reply = await self.worker.answer(outcome, seconds=seconds)
        self._outcome = None
        if isinstance(reply, Value | Repaired | Paused):
            return reply
        raise self.worker.unexpected(reply)

    async def abandon(self, generation: int) -> Abandoned | Stale:
        """Drop the whole attempt from its pause, and end its processes."""
        reply = await self.worker.ask("abandon", generation=generation)
        if isinstance(reply, Stale):
            return reply
        if isinstance(reply, Abandoned):
            await self.close()
            return reply
        raise self.worker.unexpected(reply)

    async def accept(self, revision: int, generation: int, files: Mapping[str, bytes] | None = None) -> World:
        """Make this process the world, at `revision` and the next generation; the process that was the world ends.

        `files` are those of its last export.
        """
        reply = await self.worker.ask("accept", revision=revision, generation=generation)
        if not isinstance(reply, Accepted):
            raise self.worker.unexpected(reply)
        world = await self._world.succeeded_by(self.worker, reply, files or {})
        while self._savepoints:
            await self._registry.retire(self._savepoints.pop(), "its attempt was accepted")
        return world

    async def trial(self) -> Trial:
        """Fork a process at the same pause, in which can be tried what would come of a restart or a repair."""
        return Trial(await self._registry.fork(self.worker, "candidate"), self._registry, self._world)

    async def interrupt(self) -> None:
        """End the evaluation under way as its time limit would."""
        await self.worker.interrupt()

    def kill(self, cause: str = "") -> None:
        """End the attempt's processes at once."""
        super().kill(cause)
        for savepoint in self._savepoints:
            savepoint.kill(cause)

    async def close(self) -> None:
        """End the attempt's processes and wait until they are dead."""
        await super().close()
        for savepoint in self._savepoints:
            await savepoint.wait_dead()

    async def _repair(self, generation: int, forms: str, seconds: float) -> Repaired | Paused | Invalid | Stale:
        reply = await self.worker.evaluate("repair", seconds=seconds, generation=generation, forms=forms)
        if isinstance(reply, Repaired | Paused | Invalid | Stale):
            return reply
        raise self.worker.unexpected(reply)


class Trial(Candidate):
    """A candidate that is dropped whatever comes of it, so its repair needs no savepoint."""

    async def repair(self, generation: int, forms: str, seconds: float) -> Repaired | Paused | Invalid | Stale:
        """Evaluate `forms` inside the pause; `Paused` is one level deeper."""
        return await self._repair(generation, forms, seconds)
