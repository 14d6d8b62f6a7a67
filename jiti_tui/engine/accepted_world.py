"""Makes a process that holds the accepted revision the world, and brings it back where that process has died."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.workers import Workers
from jiti_tui.errors import WorkerDied
from jiti_tui.kernel.world import World as WorldProcess

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def make_world(workers: Workers, process: WorldProcess, revision: int, generation: int) -> None:
    """Give `process` the numbers of the accepted revision that it holds, let its threads run, and make it the world.

    Raises WorkerError; then the process is ended.
    """
    try:
        await process.adopt(revision, generation)
        await process.restore()
    except BaseException:
        process.kill("it could not become the world")
        raise
    workers.install(process)


async def mend(session: Session) -> None:
    """Bring the accepted revision back into a fresh process where the world's process has died."""
    workers = session.workers
    if workers.alive:
        return
    await workers.revive()
    try:
        process = await _accepted_again(session)
    except WorkerDied:  # of a keeper that ends with its world, the death may show only now
        await workers.revive()
        process = await _accepted_again(session)
    await make_world(workers, process, session.revision, session.generation)
    session.board.notice(
        f"The world's process died. Revision {session.revision} is back in a fresh one.", Severity.ERROR
    )


async def _accepted_again(session: Session) -> WorldProcess:
    export, store = session.export, session.store
    blocks = await asyncio.to_thread(store.read_blocks, session.revision, export.blocks) if export.blocks else {}
    return await session.workers.fresh(export.definitions, export.data, export.files, blocks)
