"""What revisions hold, by name: each is imported into a fresh process, which knows where a definition begins."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.engine.changes import differences, named
from jiti_tui.engine.interface.snapshot import Change
from jiti_tui.engine.queries.standalone import opened
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.engine.workers import Workers
from jiti_tui.errors import StoreError
from jiti_tui.kernel.exports import NotReconstructible
from jiti_tui.store.history import Revision
from jiti_tui.world.folder import World

Contents = dict[tuple[str, str], str]
"""Texts by kind and name. The kind of data is `data`, that of a file of the world `file`."""


async def contents(world: World, revisions: Sequence[Revision]) -> list[Contents]:
    """What each of `revisions` holds, found in processes of their own. Raises as `contents_in` does."""
    async with opened(world, None) as (workers, _):
        return await contents_in(workers, revisions)


async def contents_in(workers: Workers, revisions: Sequence[Revision]) -> list[Contents]:
    """What each of `revisions` holds; of several, blocks of data that are the same in all are left out.

    Raises StoreError when one does not import on the present base.
    """
    found = []
    alike = set.intersection(*(set(revision.blocks.items()) for revision in revisions)) if len(revisions) > 1 else set()
    for revision in revisions:
        blocks = dict(revision.blocks.items() - alike)
        process = await workers.fresh(revision.definitions, revision.data, revision.files, blocks, settled=False)
        try:
            async with throwaway(process) as runner:
                export = await runner.export()
        finally:
            process.worker.kill()
        if isinstance(export, NotReconstructible):
            raise StoreError(f"Revision {revision.manifest.revision} cannot be read by name: {export.reason}")
        found.append(named(export))
    return found


def changes_between(before: Contents, after: Contents) -> tuple[Change, ...]:
    """What was added, changed or removed, in the order of `after`, removed ones last."""
    return tuple(differences(before, after))
