"""Accepts a published candidate: it becomes the world, one generation on, and the old world's process ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jiti_tui.engine.checklist import Verdict
from jiti_tui.engine.interface.history import revision_row
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.messages import Stale
from jiti_tui.store.manifest import Manifest

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.kernel.world import World as WorldProcess


async def accept(
    session: Session,
    process: Candidate | WorldProcess,
    export: Export,
    manifest: Manifest,
    verdicts: Sequence[Verdict],
) -> None:
    """Make `process`, whose `export` has been published as `manifest`, the world.

    The revision is on disk by now, whatever fails: then there is no world until `mend` brings it back.
    """
    try:
        world = await _promote(session, process, export, manifest)
    except WorkerError:
        world = None
    session.workers.install(world)
    session.export = replace(export, block_texts={})
    session.compiled.keep(export.definitions)
    session.checklist.verdicts = tuple(verdicts)
    session.journal.trail.clear()
    rows = tuple(replace(row, live=False) for row in session.board.snapshot.revisions)
    session.board.show(
        revision=manifest.revision,
        generation=manifest.generation,
        revisions=(revision_row(manifest, live=True), *rows),
        checks=session.checklist.rows(session.decides),
        outcome=None,
    )
    session.journal.emit("accepted", revision=manifest.revision)
    session.tell.accepted(manifest)
    met, total = manifest.goals
    goals = f" {met} of {total} goal{'' if total == 1 else 's'} met." if total else ""
    session.board.notice(f"Revision {manifest.revision} is on disk.{goals}")


async def _promote(
    session: Session, process: Candidate | WorldProcess, export: Export, manifest: Manifest
) -> WorldProcess:
    if isinstance(process, Candidate):
        world = await process.accept(manifest.revision, session.generation, export.files)
        if isinstance(world, Stale) or world.generation != manifest.generation:
            raise WorkerError("The candidate counts generations otherwise than its controller.")
        return world
    await process.adopt(manifest.revision, manifest.generation)
    await process.restore()
    return process
