"""How soon a snapshot is painted: those that come faster than they can be read are painted together."""

from __future__ import annotations

from jiti_tui.tui.clock import Clock

STEPS_A_SECOND, NEWS_A_SECOND = 15, 4
"""For snapshots that move the session, and for those that only add to it, as while an answer streams or a log grows."""

AWAITING_SECONDS = 1.0
"""What comes so soon after a key may be its answer, and is painted as a step."""


class Pace:
    """Remembers when something was painted and when a key was pressed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._painted_at = 0.0
        self._pressed_at = float("-inf")

    def painted(self, at: float) -> None:
        """Everything there is has been painted."""
        self._painted_at = at

    def pressed(self) -> None:
        """A key was pressed."""
        self._pressed_at = self._clock.monotonic()

    def wait(self, *, step: bool) -> float:
        """Return in how many seconds a snapshot is to be painted, at once where that is not above 0."""
        now = self._clock.monotonic()
        most = STEPS_A_SECOND if step or now - self._pressed_at < AWAITING_SECONDS else NEWS_A_SECOND
        return self._painted_at + 1 / most - now
