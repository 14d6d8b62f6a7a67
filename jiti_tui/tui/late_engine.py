"""An engine that starts after the first paint: the screen waits for no import and for no process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from jiti_tui.engine.ending import Ending
from jiti_tui.engine.interface.commands import Command
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import Exit, JitiError
from jiti_tui.tui.engine import Engine
from jiti_tui.tui.mailbox import Mailbox

Opener = Callable[[Callable[[Snapshot], None]], Engine]
"""Makes and starts the engine proper, which publishes its snapshots to what is given. Raises JitiError."""


class LateEngine:
    """Stands for the engine until there is one; commands wait for it."""

    def __init__(self, world: str, opener: Opener, mailbox: Mailbox) -> None:
        self._opener = opener
        self._mailbox = mailbox
        self._first = Snapshot(world, world, since=time.monotonic())
        self._engine: Engine | None = None
        self._waiting: list[Command] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._open, name="open the engine", daemon=True)
        self._failure: Ending | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The latest picture of the session, an empty one before it has started."""
        return self._first if self._engine is None else self._engine.snapshot

    @property
    def ending(self) -> Ending | None:
        """How the session ended; None while it runs, and when it has never started."""
        return self._failure if self._engine is None else self._engine.ending

    def begin(self) -> None:
        """Open the engine, in a thread of its own."""
        self._thread.start()

    def send(self, command: Command) -> None:
        """Hand over a command, from any thread. It waits while there is no engine, in the order of the keys."""
        with self._lock:
            if self._engine is None:
                self._waiting.append(command)
            else:
                self._engine.send(command)

    def join(self, timeout: float) -> bool:
        """Wait for the end of the session, `timeout` seconds at most; True when it has ended or never started."""
        if self._thread.ident is None:
            return True
        end = time.monotonic() + timeout
        self._thread.join(timeout)
        left = max(0.0, end - time.monotonic())
        return not self._thread.is_alive() and (self._engine is None or self._engine.join(left))

    def _open(self) -> None:
        try:
            engine = self._opener(self._mailbox.put)
        except JitiError as error:
            self._fail(Ending(error.exit_code, str(error)))
            return
        except Exception as error:
            self._fail(Ending(Exit.WORKER, f"A defect of jiti-tui: {type(error).__name__}: {error}"))
            return
        with self._lock:
            self._engine = engine
            for command in self._waiting:
                engine.send(command)
            self._waiting.clear()

    def _fail(self, ending: Ending) -> None:
        self._failure = ending
        self._first = replace(self._first, phase=Phase.CLOSED, reason=ending.sentence)
        self._mailbox.put(self._first)
