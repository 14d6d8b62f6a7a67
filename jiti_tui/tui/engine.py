"""What the screen needs of an engine."""

from __future__ import annotations

from typing import Protocol

from jiti_tui.engine.ending import Ending
from jiti_tui.engine.interface.commands import Command
from jiti_tui.engine.interface.snapshot import Snapshot


class Engine(Protocol):
    """A session that runs in a thread of its own and publishes snapshots to a `Mailbox`."""

    @property
    def snapshot(self) -> Snapshot:
        """The latest picture of the session."""
        ...

    @property
    def ending(self) -> Ending | None:
        """How the session ended; None while it runs."""
        ...

    def send(self, command: Command) -> None:
        """Hand over a command, from any thread."""
        ...

    def join(self, timeout: float) -> bool:
        """Wait for the end of the session, `timeout` seconds at most; True when it has ended."""
        ...
