"""The time, in seconds."""

from __future__ import annotations

import time


class Clock:
    """The machine's clocks. Tests have one that stands still."""

    def monotonic(self) -> float:
        """Return the time that only goes forward, as `Snapshot.since` counts it."""
        return time.monotonic()

    def wall(self) -> float:
        """Return the seconds since the epoch."""
        return time.time()
