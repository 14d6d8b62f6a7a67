"""The engine's thread: one daemon thread runs the session; commands go in, snapshots and events come out."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from jiti_tui.engine.board import Board
from jiti_tui.engine.dispatch import dispatch
from jiti_tui.engine.ending import Ending
from jiti_tui.engine.interface.commands import Command
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.session import Session
from jiti_tui.world.folder import World


class Engine:
    """Runs one session. The callbacks are called in the engine's thread and must return at once."""

    def __init__(
        self,
        world: World,
        options: Options,
        *,
        on_snapshot: Callable[[Snapshot], None],
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        first = Snapshot(world.name, world.title, mode=options.mode, since=time.monotonic())
        self._board = Board(first, on_snapshot)
        self._session = Session(world, options, self._board, on_event)
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._early: list[Command] = []
        self._lock = threading.RLock()  # a signal's handler may send while its thread is sending
        self.ending: Ending | None = None
        """How the session ended; None while it runs."""

    @property
    def snapshot(self) -> Snapshot:
        """The latest picture of the session."""
        return self._board.snapshot

    def start(self) -> None:
        """Start the thread; the session opens its world in it."""
        self._thread.start()

    def send(self, command: Command) -> None:
        """Hand over a command, from any thread. After the end of the session it is dropped."""
        with self._lock:
            if self._loop is None:
                self._early.append(command)
                return
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(dispatch, self._session, command)

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end of the session, `timeout` seconds at most; True when it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(self._tell_failure)
        asyncio.set_event_loop(loop)
        with self._lock:
            self._loop = loop
            for command in self._early:
                loop.call_soon(dispatch, self._session, command)
        try:
            self.ending = loop.run_until_complete(self._session.run())
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            with self._lock:
                loop.close()

    def _tell_failure(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell of a failure that nobody has waited for. asyncio would write its traceback over the picture."""
        self._session.tell_error(context.get("exception") or RuntimeError(context["message"]))
