"""The controller's Unix socket. It lets in the process that a request has made, and nobody else.

Code of a world runs beside the workers and can connect too. A connection counts only when its first message echoes the
nonce of a request that waits, and when its peer, as the kernel names it, has no other connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.socket_folder import SocketFolder
from jiti_tui.kernel.wire import read_message

HELLO_SECONDS = 10
HELLO_BYTES = 1024
MAX_STRANGERS = 32
"""Connections that have said nothing yet; one more closes the oldest of them, since a worker says hello at once."""

READ_AHEAD_BYTES = 1024 * 1024

_SO_PEERPIDFD = 77  # asm-generic/socket.h, since Linux 6.5
_UCRED = struct.Struct("iII")  # unix(7): pid, uid, gid


@dataclass(slots=True)
class Connection:
    """A worker that has said hello: `pid` is the host's number for it, `inner_pid` its own. The owner closes it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    pid: int
    pidfd: int
    role: str
    inner_pid: int

    def close(self) -> None:
        """Close socket and pidfd at once."""
        self.writer.transport.abort()
        os.close(self.pidfd)


@dataclass(slots=True, eq=False)
class Expected:
    """A worker that was asked for: the nonce that it must echo, and where its connection arrives."""

    role: str
    nonce: str
    connection: asyncio.Future[Connection]
    taken: bool = False

    def take(self) -> Connection:
        """Become the owner of the connection that has arrived."""
        self.taken = True
        return self.connection.result()


class Listener:
    """A socket in a folder of its own, for the workers of one keeper. Made by `open`, ended by `close`."""

    def __init__(self, folder: SocketFolder) -> None:
        self._folder = folder
        self.path = folder.socket
        self._expected: dict[str, Expected] = {}
        self._strangers: dict[asyncio.StreamWriter, None] = {}
        self._pids: set[int] = set()
        self._server: asyncio.Server | None = None

    @classmethod
    async def open(cls) -> Listener:
        """Make the folder and listen."""
        try:
            listener = cls(SocketFolder())
            listener._server = await asyncio.start_unix_server(
                listener._greet, listener.path, limit=READ_AHEAD_BYTES, backlog=128
            )
        except OSError as error:
            raise WorkerError(f"No socket for the worker processes can be made: {error}.") from error
        return listener

    def open_to(self, group: int) -> Path:
        """Let processes of that group connect. Returns the folder of the socket, which they can enter; needs root."""
        self._folder.open_to(group)
        return self._folder.path

    def expect(self, role: str) -> Expected:
        """Make a nonce for a worker that is about to be asked for. `forget` ends the waiting."""
        expected = Expected(role, secrets.token_hex(16), asyncio.get_running_loop().create_future())
        self._expected[expected.nonce] = expected
        return expected

    def forget(self, expected: Expected) -> None:
        """Let nobody in with that nonce any more, and close the connection if it has arrived and nobody took it."""
        self._expected.pop(expected.nonce, None)
        if expected.connection.done() and not expected.taken:
            connection = expected.take()
            self.release(connection.pid)
            connection.close()

    def release(self, pid: int) -> None:
        """The connection of this process has ended."""
        self._pids.discard(pid)

    def close(self) -> None:
        """Stop listening and remove the folder."""
        if self._server is not None:
            self._server.close()
        for expected in list(self._expected.values()):
            self.forget(expected)
        self._folder.remove()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Keep the connection if its first message is a hello that was expected; otherwise close it."""
        kept = False
        self._strangers[writer] = None
        if len(self._strangers) > MAX_STRANGERS:
            next(iter(self._strangers)).transport.abort()
        try:
            kept = await self._admit(reader, writer)
        finally:
            del self._strangers[writer]
            if not kept:
                writer.transport.abort()

    async def _admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        peer: socket.socket = writer.get_extra_info("socket")
        pid = _UCRED.unpack(peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))[0]
        if pid == 0 or pid in self._pids:
            return False
        self._pids.add(pid)
        pidfd = -1
        kept = False
        try:
            pidfd = _open_pidfd(peer, pid)
            async with asyncio.timeout(HELLO_SECONDS):
                kept = await self._take_hello(reader, writer, pid, pidfd)
        except (WorkerError, OSError, EOFError, TimeoutError):
            return False
        finally:
            if not kept:
                self._pids.discard(pid)
                if pidfd >= 0:
                    os.close(pidfd)
        return kept

    async def _take_hello(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int, pidfd: int
    ) -> bool:
        message = await read_message(reader, limit=HELLO_BYTES)
        fields = Fields(message)
        expected = self._expected.get(fields.text("nonce"))
        if message.kind != "hello" or expected is None or fields.word("role") != expected.role:
            return False
        connection = Connection(reader, writer, pid, pidfd, expected.role, fields.integer("pid"))
        del self._expected[expected.nonce]
        expected.connection.set_result(connection)
        return True


def _open_pidfd(peer: socket.socket, pid: int) -> int:
    """The pidfd of the peer itself where the system gives it; else of whoever bears its pid by now."""
    with contextlib.suppress(OSError):
        return peer.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    return os.pidfd_open(pid)
