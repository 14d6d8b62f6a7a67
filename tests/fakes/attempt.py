"""An attempt as tests drive it: a candidate in a real SBCL, and what it said last."""

from __future__ import annotations

from dataclasses import dataclass

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Inspected, Invalid, Paused, Repaired, Restart, Resumed, Stale, Value
from jiti_tui.kernel.world import World

SECONDS = 20.0


@dataclass
class Attempt:
    """A candidate and its last outcome."""

    candidate: Candidate
    outcome: Value | Paused | Repaired | Invalid | Stale

    @property
    def pause(self) -> Paused:
        assert isinstance(self.outcome, Paused), self.outcome
        return self.outcome

    @property
    def generation(self) -> int:
        assert not isinstance(self.outcome, Invalid), self.outcome
        return self.outcome.generation

    @property
    def names(self) -> list[str]:
        return [restart.name for restart in self.pause.restarts]

    @property
    def value(self) -> str:
        assert isinstance(self.outcome, Value | Repaired), self.outcome
        return self.outcome.value

    def restart(self, name: str) -> Restart:
        return next(restart for restart in self.pause.restarts if restart.name == name)

    async def resume(self, restart: str, *arguments: str, seconds: float = SECONDS) -> Attempt:
        """Take a restart by its id, or by its name at the present level."""
        return await self.go_on(restart if "/" in restart else self.restart(restart).id, *arguments, seconds=seconds)

    async def go_on(self, restart: str, *arguments: str, seconds: float = SECONDS) -> Attempt:
        """Take a restart of the pause that lies under the last repair."""
        generation = self.generation
        reply = await self.candidate.resume(generation, restart, arguments, seconds)
        assert isinstance(reply, Resumed), reply
        assert (reply.generation, reply.restart) == (generation + 1, restart)
        self.outcome = await self.candidate.outcome()
        return self

    async def repair(self, forms: str, seconds: float = SECONDS) -> Attempt:
        self.outcome = await self.candidate.repair(self.generation, forms, seconds)
        return self

    async def look(self, expression: str) -> str:
        return await look(self.candidate, expression)


async def look(process: Forks, expression: str) -> str:
    """What an expression returns in a throwaway fork of the process."""
    runner = await process.runner()
    answer = await runner.inspect(expression, SECONDS)
    await runner.close()
    assert isinstance(answer, Inspected), answer
    return answer.value


async def evaluate(world: World, forms: str, seconds: float = SECONDS) -> Attempt:
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    return Attempt(candidate, await candidate.evaluate(world.generation, forms, seconds))
