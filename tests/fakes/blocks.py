"""A world with a large table, for the tests of its blocks."""

from __future__ import annotations

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Stale, Value
from jiti_tui.kernel.world import World

FILL = "(dotimes (i 20000) (setf (jiti:value i) (list i (* 2 i) :some)))"


async def evaluated(world: World, forms: str) -> Candidate:
    """A candidate that has evaluated `forms`."""
    candidate = await world.attempt(world.generation, 1)
    assert not isinstance(candidate, Stale)
    outcome = await candidate.evaluate(world.generation, forms, 10)
    assert isinstance(outcome, Value), outcome
    return candidate


async def written(process: Forks) -> Export:
    export = await process.export()
    assert isinstance(export, Export), export
    return export


async def accepted(world: World, forms: str) -> tuple[World, Export]:
    candidate = await evaluated(world, forms)
    export = await written(candidate)
    successor = await candidate.accept(world.revision + 1, world.generation, export.files)
    assert isinstance(successor, World)
    return successor, export
