"""What a client has asked without acting: answered beside the loop, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


class Questions:
    """Holds the tasks that answer."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answering: set[asyncio.Task[None]] = set()

    def answer(self, answering: Coroutine[None, None, None]) -> None:
        """Let a question be answered."""
        task = self._session.spawn(answering)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def stop(self) -> None:
        """Answer nothing more of what was asked until now, and end the trials that still run."""
        self._session.trials.stop()
        for task in self._answering:
            # Once it has begun: what is cancelled before that cannot say so.
            asyncio.get_running_loop().call_soon(task.cancel)
