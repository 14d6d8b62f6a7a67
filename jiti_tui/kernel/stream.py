"""One end of a worker's connection: frames out, messages in. `docs/wire.md` defines both.

Between the socket and the loop there is no transport. A hello, which has as a rule arrived when the loop takes the
connection, is heard in that very turn, and so is every reply. That is a quarter of what an attempt takes.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.wire import HEADER_BYTES, MAX_BYTES, Message, body_length, decode

READ_BYTES = 256 * 1024

Hear = Callable[[Message], None]
"""Gets each message as it arrives. A `WorkerError` that it raises ends the stream."""

End = Callable[[str], None]
"""Told once that no message will come any more: what was wrong with the last one, or "" when the stream just ended."""


class Stream:
    """A connected socket, which it owns, in the hands of whoever called `listen` last."""

    def __init__(self, connected: socket.socket) -> None:
        connected.setblocking(False)
        self.socket = connected
        self._descriptor = connected.fileno()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._descriptor, self._read)
        self._hear: Hear | None = None
        self._end: End | None = None
        self._limit = MAX_BYTES
        self._received = bytearray()
        self._unsent = bytearray()
        self._ended = False

    def listen(self, hear: Hear, end: End, *, limit: int = MAX_BYTES) -> None:
        """Give messages of at most `limit` bytes to `hear` from here on, those that wait first."""
        self._hear, self._end, self._limit = hear, end, limit
        self._read()

    def pause(self) -> None:
        """Keep what comes until somebody listens again."""
        self._hear = self._end = None

    def send(self, frame: bytes) -> None:
        """Write a frame, now or when the other end has taken what waits. Nothing happens when it is gone."""
        if not self._unsent:
            frame = frame[self._write(frame) :]
            if frame:
                self._loop.add_writer(self._descriptor, self._send_rest)
        self._unsent += frame

    def abort(self) -> None:
        """Close the connection at once. Nothing is heard any more, and nobody is told."""
        self.pause()
        self._ended = True
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)
            self._loop.remove_writer(self._descriptor)
            self._descriptor = -1
            self.socket.close()

    def _read(self) -> None:
        if not self._ended:
            try:
                data = self.socket.recv(READ_BYTES)
            except BlockingIOError:
                data = None
            except OSError:
                data = b""
            if data:
                self._received += data
            elif data is not None:
                self._ended = True
                self._loop.remove_reader(self._descriptor)
        self._pass_on()
        if self._ended:
            self._tell_end("")

    def _pass_on(self) -> None:
        try:
            while self._hear is not None and (message := self._next()) is not None:
                self._hear(message)
        except WorkerError as error:
            self._tell_end(str(error))
            self.abort()

    def _next(self) -> Message | None:
        if len(self._received) < HEADER_BYTES:
            return None
        end = HEADER_BYTES + body_length(bytes(self._received[:HEADER_BYTES]), limit=self._limit)
        if len(self._received) < end:
            return None
        body = bytes(self._received[HEADER_BYTES:end])
        del self._received[:end]
        return decode(body)

    def _tell_end(self, reason: str) -> None:
        end = self._end
        self.pause()
        if end is not None:
            end(reason)

    def _write(self, frame: bytes | bytearray) -> int:
        """Write what the socket takes: the number of bytes. When the other end is gone, it takes all."""
        try:
            return self.socket.send(frame)
        except BlockingIOError:
            return 0
        except OSError:
            return len(frame)

    def _send_rest(self) -> None:
        del self._unsent[: self._write(self._unsent)]
        if not self._unsent:
            self._loop.remove_writer(self._descriptor)
