"""Whether the proposer may be asked now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.deciding.choice import OPERATOR
from jiti_tui.engine.ending import Ending
from jiti_tui.errors import Exit

if TYPE_CHECKING:
    from jiti_tui.engine.attempts.attempt import Attempt
    from jiti_tui.engine.session import Session

MOST_ANSWERS = 20
"""Answers in a row that begin no attempt and end none; then the proposer is asked nothing more."""


def may_ask(session: Session, attempt: Attempt | None) -> bool:
    """Whether the proposer may be asked about the idle world, or about the pause of `attempt`.

    Where it is a limit that forbids it, the session stops asking.
    """
    if session.board.snapshot.held or session.asker.busy or session.stopping is not None:
        return False
    if session.asker.proposer is None:
        session.stop_asking(Ending(Exit.PROPOSER, session.no_proposer))
        return False
    if attempt is None and (session.agenda.current is None or session.is_met):
        return False
    if attempt is not None and attempt.story.origin == OPERATOR and session.asker.proposer.recorded:
        return False  # nothing was recorded for what the operator does, and a line that is used up is gone
    reason = session.judgement.stop or session.spending.exhausted(under_way=attempt is not None)
    if not reason and session.idle_answers >= MOST_ANSWERS:
        reason = f"The proposer gave {MOST_ANSWERS} answers in a row that came to nothing."
    if reason:
        session.stop_asking(Ending(Exit.UNMET, reason))
    return not reason
