"""Drives a session by a program in the operator's place: it sends commands and waits for what comes of them."""

from __future__ import annotations

import queue
from collections.abc import Collection

from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Accept, Command, Quit
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import JitiError, StoreError
from jiti_tui.world.folder import World

_IDLE = frozenset({Phase.NEW, Phase.HELD, Phase.MET, Phase.RECOVERED, Phase.BLOCKED})
_REFUSALS = frozenset({"restored", "invalid", "stale", "error"})


class Refused(JitiError):
    """An attempt came to nothing; the message is the reason that the session gave."""


class SessionClosed(StoreError):
    """The session has ended by itself; `exit_code` is its own."""


class Driver:
    """Opens a session on `world`, without a proposer that is ever asked. `close` it when it has done its work."""

    def __init__(self, world: World, options: Options) -> None:
        self._news: queue.SimpleQueue[Event | Snapshot] = queue.SimpleQueue()
        self._engine = Engine(world, options, on_snapshot=self._news.put, on_event=self._news.put)
        self._engine.start()

    def idle(self) -> Snapshot:
        """Wait until nothing is under way."""
        return self._picture(_IDLE)

    def attempt(self, command: Command) -> Snapshot:
        """Send what goes on with an attempt or begins one; return the picture of the pause or outcome that comes of it.

        Raises Refused when it comes to nothing, SessionClosed when the session ends.
        """
        self._engine.send(command)
        while True:
            match self._news.get():
                case Event(name="paused" | "repaired"):
                    return self._picture({Phase.PAUSED})
                case Event(name="resumed") as event if event.fields["name"] == "drop-repair":
                    return self._picture({Phase.PAUSED})
                case Event(name="value") | Snapshot(phase=Phase.READY):
                    return self._ready()
                case news:
                    self._refuse(news)

    def accept(self) -> Event:
        """Consent to the outcome that is ready; return the event of its publication, once it is the world."""
        self._engine.send(Accept(self._ready().painted))
        published: Event | None = None
        while True:
            match self._news.get():
                case Event(name="published") as event:
                    published = event
                case Event(name="accepted") if published is not None:
                    return published
                case news:
                    self._refuse(news)

    def close(self) -> None:
        """End the session and wait for its end. It can be called from a signal's handler, and twice."""
        self._engine.send(Quit())
        self._engine.join()

    def _ready(self) -> Snapshot:
        while self._engine.snapshot.phase is not Phase.READY:
            self._refuse(self._news.get())
        return self._engine.snapshot

    def _picture(self, phases: Collection[Phase]) -> Snapshot:
        while self._engine.snapshot.phase not in phases:
            news = self._news.get()
            if isinstance(news, Snapshot):
                self._refuse(news)
        return self._engine.snapshot

    def _refuse(self, news: Event | Snapshot) -> None:
        if isinstance(news, Event) and news.name in _REFUSALS:
            raise Refused(str(news.fields["reason"]))
        if isinstance(news, Snapshot) and news.phase is Phase.CLOSED:
            self._engine.join()
            ending = self._engine.ending
            closed = SessionClosed(ending.sentence if ending else "The engine ended without saying why.")
            if ending is not None:
                closed.exit_code = ending.exit
            raise closed
