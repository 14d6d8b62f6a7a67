"""Weighs several answers to one view: each is tried beside the others, and the best goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jiti_tui.engine.phase import Phase
from jiti_tui.engine.proposals import action_record, cost_record
from jiti_tui.engine.snapshot import Fate
from jiti_tui.engine.trial_row import TrialRow
from jiti_tui.model.action import Evaluate
from jiti_tui.model.proposer import Answer

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def weigh(session: Session, answers: Sequence[Answer]) -> tuple[Answer, int | None] | None:
    """The best of `answers` and the number of the trial that stands where it has led, None where none was tried.

    What does not read, breaks an invariant or cannot be written down drops out; what is left is ranked by the goals
    that it meets, then by the size of its change. None altogether where the trials were stopped.
    """
    fresh = [answer for answer in answers if _tryable(session, answer)]
    if len(fresh) < 2:
        best = next(iter(fresh), None) or next((answer for answer in answers if answer.action), answers[0])
        for answer in answers:
            if answer is not best:
                _lost(session, answer, answer.invalid or "another was chosen")
        return best, None
    session.board.enter(Phase.TRYING)
    await session.trials.drop()
    session.trials.try_proposals([answer.action.forms for answer in fresh if isinstance(answer.action, Evaluate)])
    rows = await session.trials.ended()
    if len(rows) != len(fresh):
        return None
    ranked = sorted(zip(rows, fresh, strict=True), key=lambda tried: tried[0].rank)
    row, best = ranked[0]
    for answer in answers:
        if answer not in fresh:
            _lost(session, answer, answer.invalid or "others were tried")
    for other, answer in reversed(ranked[1:]):
        _lost(session, answer, _cause(other))
    return best, row.number if row.stands else None


def _tryable(session: Session, answer: Answer) -> bool:
    return isinstance(answer.action, Evaluate) and answer.action.generation == session.generation


def _cause(row: TrialRow) -> str:
    """Why it was not the best."""
    if row.broken:
        return f'invariant "{row.broken[0]}" broke'
    return "another was better" if row.stands else row.text


def _lost(session: Session, answer: Answer, reason: str) -> None:
    """Keep what an answer says that is not followed."""
    session.journal.emit(
        "proposal",
        action=action_record(answer),
        origin=session.asker.proposer.name if session.asker.proposer is not None else "",
        view=session.asker.view_digest,
        **cost_record(answer),
    )
    session.journal.mark(Fate.INVALID if answer.action is None else Fate.REJECTED, reason)
    if isinstance(answer.action, Evaluate):
        session.tell.proposer(f"Tried beside others and dropped, {reason}: {answer.action.forms[:300]}")
