"""Asks the proposer: at most one call under way, whose answer arrives at the desk like everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.call_listener import CallListener
from jiti_tui.engine.deciding.make_view import digest
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.desk import Answered, Desk
from jiti_tui.engine.interface.snapshot import Severity, Snapshot
from jiti_tui.errors import ProposerError
from jiti_tui.model.proposer import Answer, Proposer
from jiti_tui.model.view import View


class Asker:
    """Nothing more is asked before the last answer was heard.

    A call whose view is no longer true is dropped at once, and an answer that came before that is refused as stale.
    """

    def __init__(
        self, board: Board, desk: Desk, spending: Spending, keep_defect: Callable[[BaseException], str]
    ) -> None:
        """`keep_defect` keeps what a call fails with unforeseen, and gives a sentence about it."""
        self.proposer: Proposer | None = None
        self._board = board
        self._spending = spending
        self._desk = desk
        self._keep_defect = keep_defect
        self._call: asyncio.Task[None] | None = None
        self._listener = CallListener(board, spending)
        self._dropped: set[asyncio.Task[None]] = set()
        self._unheard = False
        self.view: View | None = None
        """What was shown last."""
        board.watchers.append(self._drop_stale)

    @property
    def busy(self) -> bool:
        """A call is under way, or its answer waits at the desk."""
        return self._unheard

    @property
    def view_digest(self) -> str:
        """Of the view that was shown last."""
        return digest(self.view) if self.view is not None else ""

    @property
    def calling(self) -> bool:
        """A call is under way."""
        return self._call is not None

    def ask(self, view: View) -> None:
        """Show `view` to the proposer, unless it is busy."""
        if self.proposer is None or self._unheard:
            return
        self._unheard = True
        self.view = view
        self._listener = CallListener(self._board, self._spending)
        self._board.show(proposer_busy=True)
        self._call = asyncio.create_task(self._ask(self.proposer, view, self._listener), name="ask the proposer")

    def heard(self) -> None:
        """The answer was taken in."""
        self._unheard = False

    def hurry(self) -> None:
        """Try again now, where the call waits before its next try."""
        self._listener.skip()

    async def cancel(self) -> bool:
        """Drop the call under way; True when there was one."""
        call = self._drop()
        if call is not None:
            await asyncio.gather(call, return_exceptions=True)
        return call is not None

    async def close(self) -> None:
        """Drop the call under way and let go of the proposer's connections."""
        self._drop()
        await asyncio.gather(*self._dropped, return_exceptions=True)
        if self.proposer is not None:
            await self.proposer.close()

    def _drop_stale(self, snapshot: Snapshot) -> None:
        if self.view is not None and self.view.generation != snapshot.generation:
            self._drop()

    def _drop(self) -> asyncio.Task[None] | None:
        call = self._call
        if call is None:
            return None
        call.cancel()
        self._dropped.add(call)
        call.add_done_callback(self._dropped.discard)
        self._ended()
        self._unheard = False
        return call

    def _ended(self) -> None:
        self._call = None
        self._listener.close()
        self._board.show(proposer_busy=False)

    async def _ask(self, proposer: Proposer, view: View, listener: CallListener) -> None:
        try:
            item = await self._answers(proposer, view, listener)
        except ProposerError as error:
            item = Answered(None, error)
        except Exception as error:
            item = Answered(None, ProposerError(self._keep_defect(error), family="failed"))
        if self._call is asyncio.current_task():
            self._ended()
            self._desk.put(item)

    async def _answers(self, proposer: Proposer, view: View, listener: CallListener) -> Answered:
        """As many answers to `view` as are wanted. Raises what all calls have failed with."""
        wanted = proposer.proposals
        if wanted == 1:
            return Answered(await proposer.propose(view, listener))
        beside = _Beside(listener)
        calls = [proposer.propose(view, beside if number else listener, number) for number in range(wanted)]
        ended = await asyncio.gather(*calls, return_exceptions=True)
        answers = [one for one in ended if isinstance(one, Answer)]
        failures = [one for one in ended if isinstance(one, BaseException)]
        if not answers:
            raise failures[0]
        for error in failures:
            reason = str(error) if isinstance(error, ProposerError) else self._keep_defect(error)
            self._board.notice(f"One of {wanted} answers is missing: {reason}", Severity.ERROR)
        return Answered(answers[0], None, tuple(answers[1:]))


class _Beside:
    """The listener of a call beside the one that is shown."""

    def __init__(self, shown: CallListener) -> None:
        self.wait = shown.wait
        self.spent = shown.spent

    def rationale(self, _text: str) -> None:
        """One rationale at a time is shown."""
