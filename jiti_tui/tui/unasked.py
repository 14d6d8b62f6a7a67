"""What the screen asks of the engine without a key: what a picture wants to tell, and whether what is typed reads."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.engine.interface.commands import Command, ShowFrame
from jiti_tui.tui.keys.trying import questions
from jiti_tui.tui.reader import Reader
from jiti_tui.tui.state.scene import Shown


class Unasked:
    """Asks each question once for a picture."""

    def __init__(self, send: Callable[[Command], None]) -> None:
        self._send = send
        self._reader = Reader(send)
        self._asked: set[Command] = set()

    def forget(self) -> None:
        """Ask everything anew: another picture stands on the stage."""
        self._asked.clear()

    def ask(self, shown: Shown, now: float) -> float | None:
        """Ask what has not been asked at `now`, in monotonic seconds; return after how many seconds to ask again."""
        for question in questions(shown):
            if question not in self._asked:
                if isinstance(question, ShowFrame):
                    self._asked = {known for known in self._asked if not isinstance(known, ShowFrame)}
                self._asked.add(question)
                self._send(question)
        return self._reader.typed(shown.scene.view, now)
