"""Examines a world folder: everything that is wrong with it, a sentence each. Takes no lock and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from jiti_tui.engine.queries.standalone import opened
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.errors import WorldFolderError
from jiti_tui.kernel.messages import IndexedCheck, Unreadable
from jiti_tui.kernel.runner import Runner
from jiti_tui.model.replay import transcript_problems
from jiti_tui.world.check_files import CheckFiles, read_check_files
from jiti_tui.world.files import SourceFile
from jiti_tui.world.folder import World
from jiti_tui.world.initial_files import read_initial_files
from jiti_tui.world.problems import file_problems
from jiti_tui.world.requests import Goal, duplicates, unknown_names

_ONE_LINE = re.compile(r"\s+")


async def examine_world(world: World) -> list[str]:
    """What is wrong with the files of `world`: base and systems, goals, invariants, requests, transcript.

    Raises WorkerError where there is no SBCL to ask.
    """
    found = file_problems(world)
    unread = bool(found)
    base = [] if unread else await _base(world)
    found += base
    # Without a base that loads, check files are read all the same: what they name may come later.
    bare = replace(world, load=(), systems=(), files=()) if base or unread else world
    try:
        files = read_check_files(world)
    except WorldFolderError:
        files = None
    if files is not None:
        found += await _checks(bare, files, whole=not base)
    if world.transcript is not None:
        found += transcript_problems(world.transcript)
    return [_ONE_LINE.sub(" ", problem) for problem in found]


async def _base(world: World) -> list[str]:
    try:
        async with opened(world, None) as (workers, _):
            initial = read_initial_files(world)
            if initial:
                (await workers.fresh(files=initial)).worker.kill()
    except WorldFolderError as error:
        return [str(error)]
    return []


async def _checks(world: World, files: CheckFiles, *, whole: bool) -> list[str]:
    """Problems of check files and of the names of checks in requests; the latter where the base is `whole`."""
    found: list[str] = []
    indexed: dict[str, list[tuple[str, IndexedCheck]]] = {"goal": [], "invariant": []}
    try:
        async with opened(world, None) as (_, process), throwaway(process) as runner:
            for kind, sources in (("goal", files.goals), ("invariant", files.invariants)):
                for source in sources:
                    found += await _index(runner, kind, source, indexed[kind])
    except WorldFolderError as error:
        return [str(error)]
    for kind, checks in indexed.items():
        found += duplicates(kind, ((check.name, file, check.line) for file, check in checks))
    if whole and not found:
        found += _names(world, indexed)
    return found


async def _index(runner: Runner, kind: str, source: SourceFile, into: list[tuple[str, IndexedCheck]]) -> list[str]:
    reply = await runner.index_checks(kind, source.file, source.text)
    if isinstance(reply, Unreadable):
        return [f"{reply.file} line {reply.line}: {reply.reason}"]
    into += [(source.file, check) for check in reply]
    return []


def _names(world: World, indexed: Mapping[str, Sequence[tuple[str, IndexedCheck]]]) -> Iterator[str]:
    goals = [Goal(check.name, check.suite) for _, check in indexed["goal"]]
    yield from unknown_names(world, goals, [check.name for _, check in indexed["invariant"]])
