"""What an idle session is doing, or waiting for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.interface.phase import Phase

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


def idle_phase(session: Session) -> Phase:
    """The phase of a session between attempts in which no proposal waits for the operator."""
    if session.asker.busy:
        return Phase.THINKING
    if session.cut_off:
        return Phase.RECOVERED
    if session.is_met or session.agenda.current is None:
        return Phase.MET
    if session.stopping is not None:
        return Phase.BLOCKED
    return Phase.HELD if session.started else Phase.NEW
