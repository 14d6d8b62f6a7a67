"""Whether the stage has been in sight long enough to be read: keys that decide are dropped before that."""

from __future__ import annotations

from jiti_tui.tui.clock import Clock
from jiti_tui.tui.state.scene import Scene

SETTLING_SECONDS = 0.3


class Settling:
    """Follows what is painted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stands: object = None
        self._since = clock.monotonic()
        self._has_been_in_front = False

    def painted(self, scene: Scene) -> None:
        """Take in what was painted now. A stage's time begins when it is new, and anew when it first is in front."""
        if scene.standing != self._stands:
            self._stands, self._since, self._has_been_in_front = scene.standing, self._clock.monotonic(), False
        if scene.stage_in_front and not self._has_been_in_front:
            self._since, self._has_been_in_front = self._clock.monotonic(), True

    @property
    def settled(self) -> bool:
        """The stage has stood for a while."""
        return self._clock.monotonic() - self._since >= SETTLING_SECONDS
