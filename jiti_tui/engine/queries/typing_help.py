"""Helps the operator who types Lisp: does it read, and how may a name go on. Asked in throwaway forks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.query_results import Completions, ReadVerdict
from jiti_tui.engine.queries.inspection import process_on_screen
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.messages import Invalid

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


class TypingHelp:
    """Shows `read_verdict` and `completions` of the snapshot. A newer question overtakes one without an answer."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._latest: commands.ReadCheck | commands.Complete | None = None

    async def answer(self, question: commands.ReadCheck | commands.Complete) -> None:
        """Have the kernel answer `question`, and show what it says."""
        self._latest = question
        if isinstance(question, commands.ReadCheck):
            verdict = await self._verdict(question)
            if self._latest is question:
                self._session.board.show(read_verdict=verdict)
        else:
            names = await self._names(question.prefix)
            if self._latest is question:
                self._session.board.show(completions=Completions(question.prefix, names))

    async def _verdict(self, question: commands.ReadCheck) -> ReadVerdict:
        text, datum = question.text, question.datum
        try:
            async with throwaway(process_on_screen(self._session)) as runner:
                said = await runner.read_check(text, datum=datum)
        except WorkerError as error:
            return ReadVerdict(text, datum, ok=False, reason=str(error))
        if isinstance(said, Invalid):
            return ReadVerdict(text, datum, ok=False, reason=said.reason, line=said.line, column=said.column)
        return ReadVerdict(text, datum, ok=True)

    async def _names(self, prefix: str) -> tuple[str, ...]:
        async with throwaway(process_on_screen(self._session)) as runner:
            return await runner.complete(prefix)
