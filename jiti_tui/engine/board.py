"""The board: the one snapshot of a session, published whenever a part of it changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Notice, Severity, Snapshot


class Board:
    """Belongs to the engine's thread; `on_snapshot` is called there with each new snapshot."""

    def __init__(self, snapshot: Snapshot, on_snapshot: Callable[[Snapshot], None]) -> None:
        self.snapshot = snapshot
        self._on_snapshot = on_snapshot
        self._notices = 0
        self.watchers: list[Callable[[Snapshot], None]] = []
        """Parts of the engine that are called with each new snapshot, after it was published."""

    def show(self, **changes: Any) -> None:
        """Replace the named parts of the snapshot and publish it, unless nothing changed."""
        changed = {name: value for name, value in changes.items() if getattr(self.snapshot, name) != value}
        if changed:
            self.snapshot = replace(self.snapshot, **changed)
            self._on_snapshot(self.snapshot)
            for watcher in self.watchers:
                watcher(self.snapshot)

    def enter(self, phase: Phase, **changes: Any) -> None:
        """Move to `phase`; its clock starts when it is another one than before."""
        if phase is not self.snapshot.phase:
            changes["since"] = time.monotonic()
        self.show(phase=phase, **changes)

    def notice(self, text: str, severity: Severity = Severity.NEWS, *, about: str = "") -> None:
        """Tell the operator one sentence; `about` as `Notice` has it."""
        self._notices += 1
        self.show(notice=Notice(self._notices, text, severity, about))
