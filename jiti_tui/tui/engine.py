"""What the screen needs of an engine."""

from __future__ import annotations

from typing import Protocol

from jiti_tui.engine.commands import Command
from jiti_tui.engine.snapshot import Snapshot


class Engine(Protocol):
    """A session that runs in a thread of its own and publishes snapshots to a `Mailbox`."""

    @property
    def snapshot(self) -> Snapshot:
        """The latest picture of the session."""
        ...

    def send(self, command: Command) -> None:
        """Hand over a command, from any thread."""
        ...
