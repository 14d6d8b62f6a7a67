"""Frames of the wire: six hexadecimal digits, the length in bytes, then one s-expression. Defined in `docs/wire.md`."""

from __future__ import annotations

import re

from jiti_tui.errors import WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.sexp import Keyword, SexpError, Value, Writable, dumps, loads, plist

HEADER_BYTES = 6
MAX_BYTES = 16 * 1024 * 1024 - 1

_HEADER = re.compile(rb"[0-9a-f]{6}")


@frozen
class Message:
    """One message: its kind without the colon, and its fields with `_` for `-` in their names."""

    kind: str
    fields: dict[str, Value]


def encode(kind: str, /, **fields: Writable) -> bytes:
    """Return the frame of `(:KIND :FIELD value ...)`; `_` in a name becomes `-`.

    Raises `WorkerError` when it is longer than `MAX_BYTES`, and `SexpError` when a value cannot be written.
    """
    items: list[Writable] = [Keyword(kind)]
    for name, value in fields.items():
        items += (Keyword(name.replace("_", "-")), value)
    body = dumps(items).encode("utf-8", "surrogatepass")
    if len(body) > MAX_BYTES:
        raise WorkerError(f"A message of {len(body)} bytes is too long for a worker: {MAX_BYTES} is the most.")
    return b"%06x" % len(body) + body


def decode(body: bytes) -> Message:
    """Read the s-expression of one frame; raises `WorkerError` when it is no message."""
    try:
        value = loads(body.decode("utf-8", "surrogatepass"))
        if not isinstance(value, list) or not isinstance(value[0], Keyword):
            raise SexpError("no list that starts with a keyword")
        return Message(str(value[0]), plist(value[1:] or None))
    except ValueError as error:
        raise WorkerError(f"A worker sent what is no message: {error}.") from error


def body_length(header: bytes, *, limit: int = MAX_BYTES) -> int:
    """How many bytes of s-expression follow `header`. Raises `WorkerError` for no header, and for more than `limit`."""
    if not _HEADER.fullmatch(header):
        raise WorkerError(f"A worker sent what is no frame: it starts with {header!r}.")
    length = int(header, 16)
    if length > limit:
        raise WorkerError(f"A worker sent a message of {length} bytes where {limit} is the most.")
    return length
