"""What the screen asks of the engine without a key: what a picture wants to tell, and whether what is typed reads."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.engine.interface.commands import Command, ReadCheck, ShowFrame
from jiti_tui.tui.keys.trying import questions
from jiti_tui.tui.state.scene import Shown
from jiti_tui.tui.state.view import View

REST_SECONDS = 0.2
"""Text that has not changed for so long is read: each question is a fork."""


class Unasked:
    """Asks each question once while a picture stands on the stage."""

    def __init__(self, send: Callable[[Command], None]) -> None:
        self._send = send
        self._reader = _Reader(send)
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


class _Reader:
    """Has the kernel read what is typed, once the operator pauses for a moment. Times are monotonic seconds."""

    def __init__(self, send: Callable[[Command], None]) -> None:
        self._send = send
        self._typed: ReadCheck | None = None
        self._since = 0.0
        self._sent = True

    def typed(self, view: View, now: float) -> float | None:
        """Take in what stands on the screen at `now`; return after how many seconds to be called again, if at all."""
        typed = _typed(view)
        if typed != self._typed:
            self._typed, self._since, self._sent = typed, now, typed is None
        if self._sent or typed is None:
            return None
        left = self._since + REST_SECONDS - now
        if left > 0:
            return left
        self._sent = True
        self._send(typed)
        return None


def _typed(view: View) -> ReadCheck | None:
    """The Lisp that is being typed: in the editor, or on the request row."""
    if view.editing and view.draft is not None:
        return ReadCheck(view.draft.form.text) if view.draft.form.text.strip() else None
    if view.prompt is not None and view.prompt.lisp and view.typed.text.strip():
        return ReadCheck(view.typed.text, view.prompt.datum)
    return None
