"""What would come of an answer, as clients show it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from jiti_tui.frozen import frozen

if TYPE_CHECKING:
    from jiti_tui.engine.interface.snapshot import Change, CheckRow


class TrialState(StrEnum):
    """How far a trial has come, or how it has ended."""

    RUNNING = "running"
    VALUE = "value"
    """It would return, and has been checked."""
    PAUSED = "paused"
    """It would pause at a condition."""
    FAILED = "failed"
    """It cannot be carried out, or would end its process."""
    TIMED_OUT = "timed out"


@frozen
class TrialRow:
    """One answer, tried in a fork of its own. `number` is its identity within the session."""

    number: int
    restart: str
    """The id of the restart that was tried, "" where a proposal was."""
    name: str
    """The restart's name."""
    arguments: tuple[str, ...]
    forms: str
    """The repair before the restart, "" for none; or the forms that are proposed."""
    state: TrialState = TrialState.RUNNING
    text: str = ""
    """The value, the condition's report, or why it failed."""
    type: str = ""
    """The condition's type, "" where there is none."""
    output: str = ""
    warnings: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    """The invariants that it would break."""
    goals: tuple[int, int] | None = None
    """How many of the goals that decide it would meet, and how many decide; None where it was not asked."""
    checks: tuple[CheckRow, ...] = ()
    """All checks, with what they say of what would come of it as the candidate's verdict."""
    seconds: float = 0.0
    """How long it took, its checks included."""
    answer: bool = False
    """It is one of several answers of the proposer to a pause, of which one is to be chosen."""
    definitions: tuple[Change, ...] = ()
    data: tuple[Change, ...] = ()
    then: tuple[str, ...] = ()
    """The restarts that were taken after it at outer levels, where it leads there."""
    own: bool = False
    """The operator had it tried beside others, rather than the proposer."""

    @property
    def body(self) -> str:
        """What was tried, as the log of proposals has it."""
        return self.forms or " ".join([self.restart, *self.arguments])

    @property
    def ended(self) -> bool:
        """What would come of it is known."""
        return self.state is not TrialState.RUNNING

    @property
    def stands(self) -> bool:
        """Its process can go on: from the value to be accepted, or from the pause."""
        return self.acceptable or self.state is TrialState.PAUSED

    @property
    def rank(self) -> tuple[bool, bool, bool, int, int]:
        """The smaller the better: what would be accepted, then what pauses, then what drops out.

        Among these, what changes anything before what does not, then by goals met, then by size.
        """
        changes = (*self.definitions, *self.data)
        met = self.goals[0] if self.goals is not None else 0
        size = sum(len(change.before) + len(change.after) for change in changes)
        return not self.acceptable, not self.stands, not changes, -met, size

    @property
    def acceptable(self) -> bool:
        """It would return, break no invariant, and could be written down."""
        return self.state is TrialState.VALUE and not self.broken
