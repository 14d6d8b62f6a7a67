"""Tells everybody what became of a proposal: the journal, the operator, and the proposer's next view."""

from __future__ import annotations

from collections import deque

from jiti_tui.engine.board import Board
from jiti_tui.engine.journal import Journal
from jiti_tui.engine.snapshot import Severity
from jiti_tui.kernel.messages import Invalid
from jiti_tui.model.action import Action

OUTCOMES_TOLD = 12
"""How many recent outcomes a view repeats to the proposer."""


class Telling:
    """One method for each way in which a proposal can end without being accepted."""

    def __init__(self, board: Board, journal: Journal) -> None:
        self._board = board
        self._journal = journal
        self._outcomes: deque[str] = deque(maxlen=OUTCOMES_TOLD)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Recent outcomes for the proposer, oldest first."""
        return tuple(self._outcomes)

    def proposer(self, outcome: str) -> None:
        """Remember a sentence for the proposer's next view alone."""
        self._outcomes.append(outcome)

    def stale(self, action: Action, generation: int) -> None:
        """The action was for another generation than the present one."""
        reason = f"the answer was for generation {action.generation}, now {generation}"
        self._journal.emit("stale", action_generation=action.generation, reason=reason)
        self.proposer(f"Your {action.kind} was stale: {reason}. Nothing changed.")
        self._board.notice(f"Stale: {reason}. Nothing changed.")

    def unreadable(self, invalid: Invalid) -> None:
        """The forms do not read, or the policy refuses them."""
        place = f"line {invalid.line}, column {invalid.column}: " if invalid.line else ""
        self.invalid(f"{place}{invalid.reason}")

    def invalid(self, reason: str) -> None:
        """The action is none that can be carried out now."""
        self._journal.emit("invalid", reason=reason)
        self.proposer(f"Invalid: {reason}")
        self._board.notice(f"Invalid: {reason}", Severity.ERROR)

    def restored(self, reason: str, *, rejected: bool = False) -> None:
        """The attempt is over, and the world is what it was before it."""
        revision = self._board.snapshot.revision
        self._journal.emit("restored", reason=reason, **({"rejected": True} if rejected else {}))
        self.proposer(f"Restored to revision {revision}: {reason}")
        self._board.notice(f"Restored: {reason}. Revision {revision} is live.")
