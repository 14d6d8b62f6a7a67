"""The log, `events.sexp`: one record a line, for diagnosis. It decides nothing about what is accepted."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jiti_tui.store.files import Files
from jiti_tui.store.record import Record, decode, encode


@dataclass(frozen=True, slots=True)
class Damage:
    """A line of the log that is not what was written; `offset` is its first byte."""

    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a log holds. `lines` are the sound records, still encoded, each with its offset, oldest first.

    `whole` is where the last newline ends; `torn` is what comes after it, and was never a record.
    """

    lines: tuple[tuple[int, bytes], ...]
    damage: tuple[Damage, ...]
    whole: int
    torn: bytes

    def newest_first(self) -> Iterator[dict[str, Any]]:
        """The records, decoded one by one. Lines that do not decode are passed over; `all_damage` names them."""
        for _, line in reversed(self.lines):
            try:
                yield decode(line)
            except ValueError:
                continue

    def all_damage(self) -> Iterator[Damage]:
        """`damage`, and the lines whose checksum is right and which are still no records. It decodes the whole log."""
        yield from self.damage
        for offset, line in self.lines:
            try:
                decode(line)
            except ValueError as error:
                yield Damage(offset, str(error))


def read_log(content: bytes) -> Reading:
    """Find the records in the bytes of a log. A damaged line costs itself alone."""
    lines: list[tuple[int, bytes]] = []
    damage: list[Damage] = []
    offset = 0
    while (end := content.find(b"\n", offset)) >= 0:
        line = content[offset:end]
        if line[:9] == _checksum(line[9:]):
            lines.append((offset, line[9:]))
        else:
            damage.append(Damage(offset, "the checksum is wrong"))
        offset = end + 1
    return Reading(tuple(lines), tuple(damage), offset, content[offset:])


def _checksum(body: bytes) -> bytes:
    return b"%08x " % zlib.crc32(body)


class Log:
    """Appends to a log. The file is opened once a session, by the holder of the lock, after recovery."""

    def __init__(self, files: Files, path: Path) -> None:
        self._files = files
        self._handle = files.open_shared(path)
        self._size = files.size(self._handle)
        self._torn = False

    def append(self, record: Record, *, flush: bool = False) -> None:
        """Add `record`; with `flush`, wait until it is on disk.

        Raises OSError; then the record is not in the log, or at least not flushed, and the log can still be appended
        to. Raises ValueError for what no record can hold.
        """
        body = encode(record)
        line = _checksum(body) + body + b"\n"
        if self._torn:
            self._files.truncate(self._handle, self._size)
        self._torn = True
        self._files.write(self._handle, line)
        self._torn = False
        self._size += len(line)
        if flush:
            self._files.flush_together(self._handle)

    def close(self) -> None:
        """Close the file."""
        self._files.close(self._handle)
