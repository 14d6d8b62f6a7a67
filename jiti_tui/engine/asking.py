"""Asks the proposer: at most one call under way, whose answer arrives at the desk like everything else."""

from __future__ import annotations

import asyncio

from jiti_tui.engine.board import Board
from jiti_tui.engine.desk import Answered, Desk
from jiti_tui.engine.viewing import digest
from jiti_tui.errors import ProposerError
from jiti_tui.model.proposer import Proposer
from jiti_tui.model.view import View


class Asker:
    """A call is never cut short because its view went stale: the generation check refuses its answer.

    `cancel` is for the operator. Nothing more is asked before the last answer was heard.
    """

    def __init__(self, board: Board, desk: Desk) -> None:
        self.proposer: Proposer | None = None
        self._board = board
        self._desk = desk
        self._call: asyncio.Task[None] | None = None
        self._unheard = False
        self.view_digest = ""
        """Of the view that was shown last."""

    @property
    def busy(self) -> bool:
        """A call is under way, or its answer waits at the desk."""
        return self._unheard

    def ask(self, view: View) -> None:
        """Show `view` to the proposer, unless it is busy."""
        if self.proposer is None or self._unheard:
            return
        self._unheard = True
        self.view_digest = digest(view)
        self._board.show(proposer_busy=True, rationale="")
        self._call = asyncio.create_task(self._ask(self.proposer, view), name="ask the proposer")

    def heard(self) -> None:
        """The answer was taken in."""
        self._unheard = False

    async def cancel(self) -> bool:
        """Drop the call under way; True when there was one."""
        call = self._call
        if call is None:
            return False
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        if self._call is not call:
            return False
        self._call, self._unheard = None, False
        self._board.show(proposer_busy=False, rationale="")
        return True

    async def close(self) -> None:
        """Drop the call under way and let go of the proposer's connections."""
        await self.cancel()
        if self.proposer is not None:
            await self.proposer.close()

    async def _ask(self, proposer: Proposer, view: View) -> None:
        try:
            item = Answered(await proposer.propose(view, lambda text: self._board.show(rationale=text)))
        except ProposerError as error:
            item = Answered(None, error)
        except Exception as error:
            item = Answered(
                None,
                ProposerError(f"The proposer failed in an unforeseen way: {type(error).__name__}.", family="failed"),
            )
        self._call = None
        self._board.show(proposer_busy=False, rationale="")
        self._desk.put(item)
