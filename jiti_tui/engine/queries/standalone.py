"""Reads a world without a session: for one evaluation, or to verify its store. Takes no lock and changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jiti_tui.engine.agenda import Agenda
from jiti_tui.engine.base_hashes import changed_files
from jiti_tui.engine.checklist import Checklist, Verdict, first_broken
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.engine.workers import Workers
from jiti_tui.errors import StoreError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.exports import NotReconstructible
from jiti_tui.kernel.messages import Inspected, Invalid, Signalled
from jiti_tui.kernel.world import World as WorldProcess
from jiti_tui.store.history import Revision
from jiti_tui.store.presence import is_there
from jiti_tui.store.store import Store
from jiti_tui.world.folder import World
from jiti_tui.world.requests import Deciding


async def evaluate(world: World, form: str) -> Inspected | Signalled | Invalid:
    """The value of `form` in a throwaway fork of the accepted world, or of the base where nothing has been accepted.

    Raises WorldFolderError, StoreError or WorkerError.
    """
    async with opened(world, accepted_revision(world)) as (_, process), throwaway(process) as runner:
        return await runner.inspect(form, world.limits.evaluate_seconds)


@frozen
class Verified:
    """What a fresh process has found in a revision: `damage`, a sentence each, and an invariant that fails in it.

    `broken`, a sentence or "", is no damage where the base is the one that the revision was accepted on: the invariant
    has come or changed since.
    """

    damage: tuple[str, ...] = ()
    broken: str = ""


async def verify(world: World) -> Verified:
    """What is wrong with the accepted revision, as `verify_revision` finds it."""
    revision = accepted_revision(world)
    if revision is None:
        return Verified(("No revision has been accepted yet.",))
    return await verify_revision(world, revision)


async def verify_revision(world: World, revision: Revision) -> Verified:
    """Import `revision` in a fresh process, export it again and ask its invariants.

    On a base that has changed since, the export may have other bytes: variables that the base is the first to set.
    """
    try:
        async with opened(world, revision) as (workers, process):
            async with throwaway(process) as runner:
                again = await runner.export()
            number = revision.manifest.revision
            if isinstance(again, NotReconstructible):
                return Verified((f"Revision {number} cannot be exported again: {again.reason} ({again.path}).",))
            same = (again.definitions, again.data, again.block_texts, again.files) == (
                revision.definitions,
                revision.data,
                revision.blocks,
                revision.files,
            )
            changed = changed_files(revision.manifest.base, workers.base_hashes)
            if not same and not changed:
                return Verified((f"Revision {number} comes back different from a fresh process.",))
            broken = await _broken(world, revision, process)
            if broken and changed:
                return Verified((f"{broken}. The base has changed since it was accepted ({', '.join(changed)}).",))
            return Verified(broken=broken)
    except StoreError as error:
        return Verified((str(error),))


async def verdicts_on(world: World, revision: Revision, process: WorldProcess) -> tuple[tuple[Verdict, ...], Deciding]:
    """What the check files say of `revision`, which is in `process`, and which checks decide about its request."""
    checklist, agenda = Checklist(world), Agenda(world.requests)
    async with throwaway(process) as runner:
        await checklist.reload(runner)
    agenda.resume_at([revision.manifest.request])
    decides = checklist.deciding(agenda.requests, agenda.number)
    return await checklist.run(process, decides), decides


async def _broken(world: World, revision: Revision, process: WorldProcess) -> str:
    broken = first_broken(*await verdicts_on(world, revision, process))
    if broken is None:
        return ""
    return f'Revision {revision.manifest.revision} breaks the invariant "{broken.check.name}": {broken.detail}'


def accepted_revision(world: World) -> Revision | None:
    """The accepted revision as it is on disk, None where nothing has been accepted. Raises StoreError."""
    if not is_there(world.store):
        return None
    store = Store.open(world.store, read_only=True)
    return store.read(store.current.revision) if store.current is not None else None


@asynccontextmanager
async def opened(world: World, revision: Revision | None) -> AsyncIterator[tuple[Workers, WorldProcess]]:
    """A fresh process that holds `revision`, or the base alone; all processes have ended after it."""
    workers = Workers(world, lambda _: None)
    try:
        await workers.start()
        if revision is None:
            process = await workers.fresh()
        else:
            process = await workers.fresh(
                revision.definitions, revision.data, revision.files, revision.blocks, settled=False
            )
        yield workers, process
    finally:
        await workers.close()
