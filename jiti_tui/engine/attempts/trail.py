"""The trail: the evidence since the last accepted revision, which the next one's manifest keeps."""

from __future__ import annotations

from collections import deque
from typing import Any

from jiti_tui.store.manifest import MAX_EVIDENCE
from jiti_tui.store.record import Record, encode

MOST_BYTES = MAX_EVIDENCE - 1024
"""As written; what is left of a manifest's room is for the record that counts the dropped ones."""


class Trail:
    """Bounded, however long nothing is accepted: the oldest records go first, and are counted."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._records: deque[tuple[Record, int]] = deque()
        self._bytes = 0
        self._dropped = 0

    def add(self, record: Record) -> None:
        """Add the newest record."""
        size = len(encode(record))
        self._records.append((record, size))
        self._bytes += size
        while self._bytes > self._most:
            self._bytes -= self._records.popleft()[1]
            self._dropped += 1

    @property
    def records(self) -> list[Record]:
        """Oldest first; a first record `dropped` says how many are missing before them."""
        first: list[dict[str, Any]] = [{"event": "dropped", "records": self._dropped}] if self._dropped else []
        return [*first, *(record for record, _ in self._records)]

    def clear(self) -> None:
        """Begin another trail."""
        self._records.clear()
        self._bytes = self._dropped = 0
