"""The desk: everything that waits for the session, in order of arrival.

Commands, answers of the proposer, news from outside.
"""

from __future__ import annotations

import asyncio

from jiti_tui.engine.board import Board
from jiti_tui.engine.interface.commands import Command
from jiti_tui.errors import ProposerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.process import Worker
from jiti_tui.model.proposer import Answer

TOO_LATE = "Too late: the screen changed before your key. Nothing happened."


@frozen
class Answered:
    """The proposer's call has ended, with an answer or an error."""

    answer: Answer | None
    error: ProposerError | None = None
    others: tuple[Answer, ...] = ()
    """Further answers to the same view."""


@frozen
class FilesChanged:
    """Check files may have changed on disk."""


@frozen
class Died:
    """A process that an attempt or the world lives in is gone."""

    process: Worker


@frozen
class Prepared:
    """A publication is staged and verified, unless the verifier found something `wrong` or the store failed.

    `work` is what prepared it: news of work that was begun again since is old.
    """

    work: asyncio.Task[None] | None
    wrong: str
    error: Exception | None = None
    """A StoreError, or a defect."""


@frozen
class StoreMoved:
    """Another controller has accepted a revision in the store that this session only reads."""


Item = Command | Answered | FilesChanged | Died | Prepared | StoreMoved


class Desk:
    """An inbox that refuses what was decided on an older picture, when it arrives and again when it is taken."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._items: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Item) -> None:
        """Take in `item`, unless it was decided on another picture than the present one."""
        if self.is_current(item):
            self._items.put_nowait(item)

    async def take(self) -> Item:
        """Wait for the next item that is still true."""
        while True:
            item = await self._items.get()
            if self.is_current(item):
                return item

    def is_current(self, item: Item) -> bool:
        """Whether `item` was not decided on an older picture; says so where it was."""
        painted = getattr(item, "painted", None)
        if painted is None or painted == self._board.snapshot.painted:
            return True
        self._board.notice(TOO_LATE)
        return False
