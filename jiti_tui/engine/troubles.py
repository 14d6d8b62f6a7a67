"""What goes wrong in the world beside what it is asked: an adapter that fails, a thread that ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.errors import WorkerError

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def restore_world(session: Session) -> None:
    """No attempt is under way any more: the world goes on. One that cannot is ended; `mend` brings it back."""
    world = session.workers.world
    if world is not None and world.frozen and world.worker.alive:
        try:
            await world.restore()
        except WorkerError as error:
            world.kill("it could not be restored")
            _tell(session, str(error))
    tell_troubles(session)


def tell_troubles(session: Session) -> None:
    """Show and log what the world's process has told of since the last call."""
    for trouble in session.workers.take_troubles():
        _tell(session, trouble)


def _tell(session: Session, trouble: str) -> None:
    session.journal.emit("error", family="world", reason=trouble)
    session.board.notice(trouble, Severity.ERROR)
