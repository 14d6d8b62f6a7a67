"""Shows how a call to the proposer goes: the rationale as it grows, and the wait before another try."""

from __future__ import annotations

import asyncio
import time

from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.interface.waiting import Waiting
from jiti_tui.model.tokens import Tokens

UPDATE_SECONDS = 0.25
"""The rationale is shown this seldom: every change of it is painted."""


class CallListener:
    """A `Listener` for one call; `close` it when the call has ended."""

    def __init__(self, board: Board, spending: Spending) -> None:
        self._board = board
        self._spending = spending
        self._text = ""
        self._shown_at = float("-inf")
        self._later: asyncio.TimerHandle | None = None
        self._impatient = asyncio.Event()

    def rationale(self, text: str) -> None:
        """See `Listener`."""
        self._text = text
        left = self._shown_at + UPDATE_SECONDS - time.monotonic()
        if left <= 0:
            self._show()
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(left, self._show)

    async def wait(self, seconds: float, reason: str) -> None:
        """See `Listener`."""
        self._impatient.clear()
        self._board.show(waiting=Waiting(time.time() + seconds, reason))
        try:
            async with asyncio.timeout(seconds):
                await self._impatient.wait()
        except TimeoutError:
            pass
        finally:
            self._board.show(waiting=None)

    def spent(self, tokens: Tokens, money: float) -> None:
        """See `Listener`. What a call has cost counts after it was closed, too."""
        self._spending.call(tokens, money)

    def skip(self) -> None:
        """End the wait under way, if there is one."""
        self._impatient.set()

    def close(self) -> None:
        """Show nothing more of this call."""
        if self._later is not None:
            self._later.cancel()
        self._board.show(rationale="", waiting=None)

    def _show(self) -> None:
        self._later = None
        self._shown_at = time.monotonic()
        self._board.show(rationale=self._text)
