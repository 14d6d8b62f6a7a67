"""What follows from a key."""

from __future__ import annotations

from jiti_tui.engine.interface.commands import Command
from jiti_tui.frozen import frozen
from jiti_tui.tui.state.errand import Errand
from jiti_tui.tui.state.view import View

TOO_LATE = "Too late: the screen changed before your key. Nothing happened."


@frozen
class Step:
    """The next view, the commands to send, a notice, and what is asked of the terminal; `quits` ends the program."""

    view: View
    commands: tuple[Command, ...] = ()
    notice: str = ""
    quits: bool = False
    errand: Errand | None = None
