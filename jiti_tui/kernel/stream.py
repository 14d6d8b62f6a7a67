"""One end of a worker's connection: frames out, messages in. `docs/wire.md` defines both."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import cast

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.wire import HEADER_BYTES, MAX_BYTES, Message, body_length, decode

Hear = Callable[[Message], None]
"""Gets each message as it arrives. A `WorkerError` that it raises ends the stream."""

End = Callable[[str], None]
"""Told once that no message will come any more: what was wrong with the last one, or "" when the stream just ended."""


class Stream(asyncio.Protocol):
    """A connection that the socket has taken, in the hands of whoever called `listen` last.

    Messages are heard in the turn of the loop in which they arrive, which is what makes an attempt fast. `meet` is
    called once with the stream, when it is connected.
    """

    def __init__(self, meet: Callable[[Stream], None]) -> None:
        self._meet = meet
        self._hear: Hear | None = None
        self._end: End | None = None
        self._limit = MAX_BYTES
        self._buffer = bytearray()
        self._ended = False

    @property
    def socket(self) -> socket.socket:
        """The socket behind it, to ask who is at its other end."""
        return cast("socket.socket", self._transport.get_extra_info("socket"))

    def listen(self, hear: Hear, end: End, *, limit: int = MAX_BYTES) -> None:
        """Give messages of at most `limit` bytes to `hear` from here on, those that wait first."""
        self._hear, self._end, self._limit = hear, end, limit
        self._pass_on()
        if self._ended:
            self._tell_end("")

    def pause(self) -> None:
        """Keep what comes until somebody listens again."""
        self._hear = self._end = None

    def send(self, frame: bytes) -> None:
        """Write a frame; nothing happens when the other end is gone."""
        self._transport.write(frame)

    def abort(self) -> None:
        """Close the connection at once. Nothing is heard any more, and nobody is told."""
        self.pause()
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The loop has taken the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._meet(self)

    def data_received(self, data: bytes) -> None:
        """Some bytes have come: a part of a message, one, or several."""
        self._buffer += data
        self._pass_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end has closed it, or reading has failed."""
        self._ended = True
        self._tell_end("")

    def _pass_on(self) -> None:
        try:
            while self._hear is not None and (message := self._next()) is not None:
                self._hear(message)
        except WorkerError as error:
            self._tell_end(str(error))
            self.abort()

    def _next(self) -> Message | None:
        if len(self._buffer) < HEADER_BYTES:
            return None
        end = HEADER_BYTES + body_length(bytes(self._buffer[:HEADER_BYTES]), limit=self._limit)
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return decode(body)

    def _tell_end(self, reason: str) -> None:
        end, self._end, self._hear = self._end, None, None
        if end is not None:
            end(reason)
