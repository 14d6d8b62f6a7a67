"""Appends to the log, and rotates it so that it stays bounded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from jiti_tui.store.files import Files, Handle
from jiti_tui.store.layout import LOG
from jiti_tui.store.log import log_line
from jiti_tui.store.record import Record
from jiti_tui.store.replacing import move
from jiti_tui.store.segments import segment_name, segment_numbers

SEGMENT_BYTES = 1024 * 1024
"""A log that has grown to this is rotated before the next record."""
MOST_SEGMENTS = 8
"""Older segments that are kept."""


class LogWriter:
    """The log of the store in `root`, for the holder of its lock, after recovery.

    `accepted` tells the accepted revision: the first record of a segment says it, so that what contradicts CURRENT is
    found without reading older segments.
    """

    def __init__(self, files: Files, root: Path, accepted: Callable[[], int | None]) -> None:
        self._files = files
        self._root = root
        self._accepted = accepted
        self._segments = segment_numbers(files, root)
        self._handle: Handle | None = None
        self._size = 0
        self._torn = False
        self._open()

    def append(self, record: Record, *, flush: bool = False) -> None:
        """Add `record`; with `flush`, wait until it is on disk.

        Raises OSError; then the record is not in the log, or at least not flushed, and the log can still be appended
        to. Raises ValueError for what no record can hold.
        """
        line = log_line(record)
        if self._handle is not None and self._size >= SEGMENT_BYTES:
            self._rotate(self._handle)
        handle = self._handle or self._open()
        if self._size == 0 and self._segments:
            self._write(handle, log_line(self._heading()))
        self._write(handle, line)
        if flush:
            self._files.flush_together(handle)

    def close(self) -> None:
        """Close the file."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._files.close(handle)

    def _open(self) -> Handle:
        self._handle = self._files.open_shared(self._root / LOG)
        self._size = self._files.size(self._handle)
        self._torn = False
        return self._handle

    def _write(self, handle: Handle, line: bytes) -> None:
        if self._torn:
            self._files.truncate(handle, self._size)
        self._torn = True
        self._files.write(handle, line)
        self._torn = False
        self._size += len(line)

    def _heading(self) -> Record:
        last = self._segments[-1]
        return {
            "event": "rotated",
            "segment": last,
            "removed": last - len(self._segments),
            "revision": self._accepted(),
        }

    def _rotate(self, handle: Handle) -> None:
        if self._torn:
            self._files.truncate(handle, self._size)
        self._handle = None
        with ExitStack() as last_first:
            last_first.callback(self._retire)
            last_first.callback(self._files.close, handle)
            # Only the segment that is appended to may have a torn end. A flush that fails is final, and costs the end.
            self._files.flush_together(handle)

    def _retire(self) -> None:
        """Give `events.sexp` the name of the next older segment, and remove the oldest beyond the bound."""
        number = self._segments[-1] + 1 if self._segments else 1
        move(self._files, self._root / LOG, self._root / segment_name(number))
        self._segments.append(number)
        while len(self._segments) > MOST_SEGMENTS:
            self._files.remove(self._root / segment_name(self._segments[0]))
            del self._segments[0]


def append_alone(files: Files, root: Path, accepted: int, record: Record) -> None:
    """Add `record` to the log of a store that no session has open, and wait until it is on disk. Raises OSError."""
    log = LogWriter(files, root, lambda: accepted)
    try:
        log.append(record, flush=True)
    finally:
        log.close()
