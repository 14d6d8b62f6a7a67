"""A session that only reads: it works beside the one that holds the store, and follows what that accepts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jiti_tui.engine.accepted_world import mend
from jiti_tui.engine.desk import StoreMoved
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.opening import open_world
from jiti_tui.errors import StoreError, WorkerError

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session

POLL_SECONDS = 1.0
"""How often CURRENT is read. A watch would miss what happens on another machine's side of a network disk."""

ONLY_READS = "This session only reads: the world is changed by the one that holds the store."


async def follow(session: Session) -> None:
    """Show the accepted world until the task is cancelled, or that world cannot be brought back after its death."""
    session.spawn(_watch(session))
    while True:
        await mend(session)
        session.board.enter(Phase.READING)
        try:
            item = await session.desk.take()
            if isinstance(item, StoreMoved):
                current = await asyncio.to_thread(lambda: session.store.current)
                session.export = await (await open_world(session, current))
                await session.check_world()
                session.board.notice(f"Revision {session.revision} has been accepted.")
            else:
                await session.attend(item)
        except (StoreError, WorkerError) as error:
            session.board.notice(str(error), Severity.ERROR)


async def _watch(session: Session) -> None:
    known, told = session.revision, ""
    while True:
        await asyncio.sleep(POLL_SECONDS)
        try:
            number = await asyncio.to_thread(session.store.pointer)
        except StoreError as error:
            if str(error) != told:
                told = str(error)
                session.board.notice(told, Severity.ERROR)
            continue
        told = ""
        if number is not None and number != known:
            known = number
            session.desk.put(StoreMoved())
