"""Measures what one call costs: by the provider's count, and where that never comes, by an estimate of its own.

A provider counts when an answer is complete. It charges for one that was cancelled or broke off all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jiti_tui.model.fences import size
from jiti_tui.model.tokens import NONE, PER_TOKEN, Tokens, read_usage


class Meter:
    """Is told how a call goes; `tokens` is what it has cost so far."""

    def __init__(self, prompt: int, on_piece: Callable[[str], None]) -> None:
        """`prompt` is about how many tokens the call sends; `on_piece` gets the answer's text piece by piece."""
        self._prompt = prompt
        self._on_piece = on_piece
        self._counted = NONE
        self._bytes = 0
        self.sent = False
        """The call has left for the provider, and is not known to have been turned away."""
        self.begun = False
        """The provider has begun to answer."""

    def piece(self, text: str) -> None:
        """The answer has grown by `text`."""
        self.write(text)
        self._on_piece(text)

    def write(self, text: str) -> None:
        """The model has written `text`, as part of its answer or beside it."""
        self._bytes += size(text)

    def count(self, usage: Any) -> None:
        """The provider says what the call costs, by the usage object of either API; None and nonsense say nothing."""
        counted = read_usage(usage)
        if counted.total:
            self._counted = counted

    @property
    def tokens(self) -> Tokens:
        """By the provider's count; else all that was sent, none of it from a cache, and what has come back so far.

        What a model thinks unseen is in no estimate.
        """
        if self._counted.total or not self.sent:
            return self._counted
        written = -(-self._bytes // PER_TOKEN)
        return Tokens(self._prompt, 0, written, estimated=self._prompt + written)
