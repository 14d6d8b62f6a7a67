"""The proposal that waits for the operator, if there is one. The snapshot shows it as its `suggestion`."""

from __future__ import annotations

from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.choice import Choice
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.engine.journal import Journal
from jiti_tui.engine.reporter import Reporter
from jiti_tui.model.action import Resume


class Suggestion:
    """`choice` is what the proposer would do, None while nothing waits."""

    def __init__(self, board: Board, journal: Journal, tell: Reporter) -> None:
        self._board = board
        self._journal = journal
        self._tell = tell
        self.choice: Choice | None = None

    def put(self, choice: Choice) -> None:
        """Let `choice`, the last proposal of the journal, wait."""
        self.choice = choice
        action = choice.action
        resume = action if isinstance(action, Resume) else None
        self._board.show(
            suggestion=self._journal.log.rows[-1],
            suggested_restart=resume.restart if resume else "",
            suggested_arguments=resume.arguments if resume else (),
        )

    def take(self) -> Choice | None:
        """Let it wait no longer; return what it was."""
        choice, self.choice = self.choice, None
        self._board.show(suggestion=None, suggested_restart="", suggested_arguments=())
        return choice

    def reject(self, reason: str) -> None:
        """Drop it, if there is one, and tell the proposer the operator's `reason`, "" where none was given."""
        choice = self.take()
        if choice is not None:
            self._journal.mark(Fate.REJECTED, reason)
            self._tell.proposer(f"The operator did not take your {choice.action.kind}: {reason or 'no reason given'}.")
