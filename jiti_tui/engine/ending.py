"""How a session ends."""

from __future__ import annotations

from jiti_tui.errors import Exit
from jiti_tui.frozen import frozen


@frozen
class Ending:
    """The exit code a command ends with, and a sentence for the user where something is to be said."""

    exit: Exit = Exit.DONE
    sentence: str = ""


class SessionOver(Exception):
    """Raised inside a session's work to end it."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.sentence)
        self.ending = ending
