"""What a client has asked without acting: answered beside the loop, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from jiti_tui.engine.throwaway import cancel_begun

Spawn = Callable[[Coroutine[None, None, None]], asyncio.Task[None]]
"""Runs something beside the loop."""


class Questions:
    """Holds the tasks that answer."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self._answering: set[asyncio.Task[None]] = set()

    def answer(self, answering: Coroutine[None, None, None]) -> None:
        """Let a question be answered."""
        task = self._spawn(answering)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def stop(self) -> None:
        """Answer nothing more of what was asked until now."""
        cancel_begun(self._answering)
