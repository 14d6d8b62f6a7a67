"""Reads the rationale out of an answer while it is still being written."""

from __future__ import annotations

from collections.abc import Callable

from pydantic_core import from_json

_MAX_CHARACTERS = 16_384
"""An answer whose rationale has not ended by then is not followed any further: each step reads it from the start."""


class RationaleReader:
    """Is fed the pieces of a JSON text; calls back with the rationale so far whenever it has grown."""

    def __init__(self, on_rationale: Callable[[str], None]) -> None:
        self._on_rationale = on_rationale
        self._text = ""
        self._seen = ""
        self._ended = False

    def feed(self, piece: str) -> None:
        """Take in the next piece. Text that is not the beginning of an action is passed over."""
        if self._ended:
            return
        self._text += piece
        self._ended = len(self._text) > _MAX_CHARACTERS
        try:
            value = from_json(self._text, allow_partial="trailing-strings")
        except ValueError:
            # Not JSON so far; what the whole is worth is judged when it is complete.
            return
        action = value.get("action") if isinstance(value, dict) else None
        if not isinstance(action, dict) or not isinstance(action.get("rationale"), str):
            return
        rationale = action["rationale"]
        # Keys are written in order: a later one means that the rationale is complete.
        self._ended = self._ended or list(action)[-1] != "rationale"
        if rationale != self._seen:
            self._seen = rationale
            self._on_rationale(rationale)
