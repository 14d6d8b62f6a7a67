"""The wait before a call to the proposer is made again."""

from __future__ import annotations

from jiti_tui.frozen import frozen


@frozen
class Waiting:
    """A call to the proposer has failed: it is made again at `until`, in seconds since the epoch, or by `Go`."""

    until: float
    reason: str
