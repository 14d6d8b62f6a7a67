"""Where the engine's thread leaves its snapshots for the screen."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.engine.interface.snapshot import Snapshot


class Mailbox:
    """`put` is the engine's callback. Snapshots from before `listen` are dropped: the screen asks for the latest."""

    def __init__(self) -> None:
        self._listener: Callable[[Snapshot], object] | None = None

    def listen(self, listener: Callable[[Snapshot], object]) -> None:
        """Call `listener`, in the engine's thread, with every snapshot from now on."""
        self._listener = listener

    def put(self, snapshot: Snapshot) -> None:
        """Take in a snapshot."""
        if self._listener is not None:
            self._listener(snapshot)
