"""The journal: every event goes to the listener, to the store's log and to the log of proposals, in that one place."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jiti_tui.engine.attempts.trail import Trail
from jiti_tui.engine.board import Board
from jiti_tui.engine.interface.events import Event, event_from_record
from jiti_tui.engine.interface.proposals import ProposalLog
from jiti_tui.engine.interface.snapshot import Fate, Severity
from jiti_tui.errors import StoreError
from jiti_tui.store.manifest import stamp
from jiti_tui.store.store import Store

EVIDENCE = frozenset(
    {
        "request",
        "proposal",
        "attempt",
        "paused",
        "repaired",
        "resumed",
        "abandoned",
        "value",
        "checked",
        "reloaded",
        "inspected",
        "restored",
        "stale",
        "invalid",
    }
)
"""The events that tell how a revision came about; its manifest keeps those of its session since the revision before."""


class Journal:
    """Emits events. `trail` holds the evidence that the next accepted revision keeps."""

    def __init__(self, board: Board, listeners: Sequence[Callable[[Event], None]]) -> None:
        self._board = board
        self._listeners = listeners
        self._store: Store | None = None
        self._early: list[Event] = []
        self.log = ProposalLog()
        self.trail = Trail()
        self._opened = False

    def attach(self, store: Store, recent: Iterable[dict[str, Any]]) -> None:
        """Keep events in `store` from now on; its `recent` records come back into the log of proposals."""
        self._store = store
        for record in recent:
            event = event_from_record(record)
            if event is not None:
                self.log.see(event)
        self.log.end_of_past()
        self._board.show(proposals=self.log.rows)
        early, self._early = self._early, []
        for event in early:
            self._keep(event)

    def emit(self, name: str, /, **fields: Any) -> None:
        """Say that `name` happened now, at the snapshot's generation and revision."""
        snapshot = self._board.snapshot
        event = Event(name, time.time(), snapshot.generation, snapshot.revision, fields)
        if name in EVIDENCE:
            self.trail.add(event.record())
        self._opened = self._opened or name == "session"
        self._keep(event)
        self.log.see(event)
        self._board.show(proposals=self.log.rows)
        for listener in self._listeners:
            listener(event)

    def keep_defect(self, error: BaseException) -> str:
        """Keep the traceback of a defect in the store's log, where its developers find it; a sentence about it."""
        if self._store is not None:
            trace = "".join(traceback.format_exception(error))
            self._append({"event": "defect", "time": stamp(time.time()), "traceback": trace})
        return f"A defect of jiti-tui: {type(error).__name__}: {error}"

    def _keep(self, event: Event) -> None:
        if self._store is None:
            self._early.append(event)
        else:
            self._append(event.record())

    def _append(self, record: dict[str, Any]) -> None:
        """Write to the store's log. A log that cannot be written stops nobody: it decides nothing."""
        assert self._store is not None
        if self._store.read_only:
            return
        try:
            self._store.append(record)
        except StoreError as error:
            self._board.notice(str(error), Severity.ERROR)

    def mark(self, fate: Fate, reason: str = "") -> None:
        """Say where the last proposal stands, where no event does."""
        self.log.mark(fate, reason)
        self._board.show(proposals=self.log.rows)

    def close(self) -> None:
        """Write that the session ended by itself, and close the store.

        A session that has never opened, or that has something under way, does not write that: so the next start tells
        what was lost.
        """
        if self._store is None:
            return
        if self._opened and not self.log.under_way:
            self._append({"event": "closed", "time": stamp(time.time())})
        self._store.close()
