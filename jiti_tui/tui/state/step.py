"""What follows from a key."""

from __future__ import annotations

from dataclasses import dataclass

from jiti_tui.engine.commands import Command
from jiti_tui.tui.state.view import View

TOO_LATE = "Too late: the screen changed before your key. Nothing happened."


@dataclass(frozen=True, slots=True)
class Step:
    """The next view, the commands to send, and a notice; `quits` ends the program."""

    view: View
    commands: tuple[Command, ...] = ()
    notice: str = ""
    quits: bool = False
