"""Has the kernel read what is typed, once the operator pauses for a moment."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.engine.interface.commands import Command, ReadCheck
from jiti_tui.tui.state.view import View

REST_SECONDS = 0.2
"""Text that has not changed for so long is read: each question is a fork."""


class Reader:
    """Times are monotonic seconds."""

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
