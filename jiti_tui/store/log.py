"""The records of the log: one a line, for diagnosis. They decide nothing about what is accepted."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from jiti_tui.frozen import frozen
from jiti_tui.store.record import Record, decode, encode


@frozen
class Damage:
    """A line of the log that is not what was written; `offset` is its first byte."""

    offset: int
    reason: str


@frozen
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


def log_line(record: Record) -> bytes:
    """The line of `record`, with its checksum and its newline. Raises ValueError for what no record can hold."""
    body = encode(record)
    return _checksum(body) + body + b"\n"


def _checksum(body: bytes) -> bytes:
    return b"%08x " % zlib.crc32(body)
