"""Worlds and candidates as processes, for the tests of their lives and ends."""

from __future__ import annotations

from pathlib import Path

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Inspected, Value
from jiti_tui.kernel.world import World

SECONDS = 20.0


async def attempt(world: World, number: int = 1) -> Candidate:
    candidate = await world.attempt(world.generation, number)
    assert isinstance(candidate, Candidate)
    return candidate


async def evaluated(world: World, forms: str) -> Candidate:
    candidate = await attempt(world)
    outcome = await candidate.evaluate(world.generation, forms, SECONDS)
    assert isinstance(outcome, Value), outcome
    return candidate


async def value(process: World | Candidate, expression: str) -> str:
    """What an expression returns in a throwaway fork."""
    runner = await process.runner()
    answer = await runner.inspect(expression, SECONDS)
    await runner.close()
    assert isinstance(answer, Inspected), answer
    return answer.value


async def open_world(keeper: Keeper, *allow: str) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=allow))
    await world.adopt(0, 0)
    return world


def programs(marker: str) -> list[int]:
    """The pids of the running programs that have `marker` on their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker in (folder / "cmdline").read_text(errors="replace").split("\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found
