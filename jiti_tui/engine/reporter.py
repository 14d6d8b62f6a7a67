"""Tells everybody what became of a proposal: the journal, the operator, and the proposer's next view."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.choice import OPERATOR
from jiti_tui.engine.deciding.judgement import Judgement
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.interface.proposals import cut
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.journal import Journal
from jiti_tui.kernel.messages import Invalid, Repaired
from jiti_tui.model.action import Action
from jiti_tui.store.manifest import Manifest, revision_id

OUTCOMES_TOLD = 12
"""How many recent outcomes a view repeats to the proposer."""
_VALUE = 2_000
_OUTPUT = 1_000
_WARNINGS = 5
"""How much of an outcome is told: characters of a value and of what was printed, and how many warnings."""


class Reporter:
    """One method for each thing that can become of a proposal."""

    def __init__(self, board: Board, journal: Journal, judgement: Judgement, spending: Spending) -> None:
        self._board = board
        self._journal = journal
        self._judgement = judgement
        self._spending = spending
        self._outcomes: deque[str] = deque(maxlen=OUTCOMES_TOLD)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Recent outcomes for the proposer, oldest first."""
        return tuple(self._outcomes)

    def proposer(self, outcome: str) -> None:
        """Tell the proposer's next view alone what came of an answer that was carried out."""
        self._judgement.valid()
        self._outcomes.append(outcome)

    def value(self, value: str, output: str, warnings: Sequence[str]) -> None:
        """The evaluation has returned; what it printed and was warned of on the way."""
        self.proposer(f"Value: {cut(value, _VALUE)}{_by_the_way(output, warnings)}")

    def repaired(self, repaired: Repaired) -> None:
        """A repair has returned, and the pause goes on."""
        way = _by_the_way(repaired.output, repaired.warnings)
        self.proposer(f"The repair returned {cut(repaired.value, _VALUE)}; the pause goes on.{way}")

    def inspected(self, expression: str, text: str, output: str) -> None:
        """An expression was looked at: its value, or the condition that it signalled."""
        self.proposer(f"{cut(expression, _OUTPUT)} => {cut(text, 4 * _VALUE)}{_by_the_way(output, ())}")

    def accepted(self, manifest: Manifest) -> None:
        """The outcome is the world now."""
        self.proposer(f"Accepted as revision {manifest.revision}.")
        # Without its number and its parent, what a revision is called says what is in it.
        again = self._judgement.accepted(revision_id(0, None, manifest.files), manifest.revision)
        if again:
            self._outcomes.append(again)
            self._board.notice(again)

    def stale(self, action: Action, generation: int) -> None:
        """The action was for another generation than the present one."""
        reason = f"the answer was for generation {action.generation}, now {generation}"
        self._journal.emit("stale", action_generation=action.generation, reason=reason)
        self._outcomes.append(f"Your {action.kind} was stale: {reason}. Nothing changed.")
        self._board.notice(f"Stale: {reason}. Nothing changed.")

    def unreadable(self, invalid: Invalid, *, counted: bool = False) -> None:
        """The forms do not read, or the policy refuses them; `counted` where an attempt was begun for that."""
        place = f"line {invalid.line}, column {invalid.column}: " if invalid.line else ""
        self.invalid(f"{place}{invalid.reason}", counted=counted)

    def invalid(self, reason: str, *, counted: bool = False) -> None:
        """The action is none that can be carried out now: a proposer's has cost a try all the same."""
        snapshot = self._board.snapshot
        if snapshot.proposals and snapshot.proposals[-1].origin != OPERATOR:
            self._judgement.invalid()
            if not (counted or snapshot.recorded):
                self._spending.attempt()
        self._journal.emit("invalid", reason=reason)
        self._outcomes.append(f"Invalid: {reason}")
        self._board.notice(f"Invalid: {reason}", Severity.ERROR)

    def restored(self, reason: str, *, rejected: bool = False) -> None:
        """The attempt is over, and the world is what it was before it."""
        revision = self._board.snapshot.revision
        self._journal.emit("restored", reason=reason, **({"rejected": True} if rejected else {}))
        who = " by the operator" if rejected else ""
        self.proposer(f"Restored{who} to revision {revision}: {reason}")
        self._board.notice(f"Restored: {reason}. Revision {revision} is live.")


def _by_the_way(output: str, warnings: Sequence[str]) -> str:
    text = f"\nIt printed: {cut(output, _OUTPUT)}" if output.strip() else ""
    for warning in warnings[:_WARNINGS]:
        text += f"\nWarning: {cut(warning, _OUTPUT)}"
    left = len(warnings) - _WARNINGS
    return f"{text}\n{left} more warnings." if left > 0 else text
