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

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.socket_folder import SocketFolder
from jiti_tui.kernel.stream import Stream
from jiti_tui.kernel.wire import Message

HELLO_SECONDS = 10
HELLO_BYTES = 1024
MAX_STRANGERS = 32
"""Connections that have said nothing yet; one more closes the oldest of them, since a worker says hello at once."""

BACKLOG = 128
"""How many connections the system keeps until the loop takes them."""

FULL_SECONDS = 0.1
"""How long nobody is let in after a connection could not be taken."""

_SO_PEERPIDFD = 77  # asm-generic/socket.h, since Linux 6.5
_UCRED = struct.Struct("iII")  # unix(7): pid, uid, gid


@dataclass(slots=True)
class Connection:
    """A worker that has said hello: `pid` is the host's number for it, `inner_pid` its own. The owner closes it."""

    stream: Stream
    pid: int
    pidfd: int
    role: str
    inner_pid: int

    def close(self) -> None:
        """Close socket and pidfd at once."""
        self.stream.abort()
        os.close(self.pidfd)


@dataclass(slots=True)
class Stranger:
    """A process that has connected and said nothing yet, and the timer that ends its waiting."""

    pid: int
    pidfd: int
    deadline: asyncio.TimerHandle


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
        self._strangers: dict[Stream, Stranger] = {}
        self._pids: set[int] = set()
        self._loop = asyncio.get_running_loop()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)

    @classmethod
    def open(cls) -> Listener:
        """Make the folder and listen."""
        try:
            listener = cls(SocketFolder())
            listener._socket.bind(str(listener.path))
            listener._socket.listen(BACKLOG)
        except OSError as error:
            raise WorkerError(f"No socket for the worker processes can be made: {error}.") from error
        listener._await_strangers()
        return listener

    def give(self, user: int) -> None:
        """Let processes of that user connect; needs root."""
        self._folder.give(user)

    def expect(self, role: str) -> Expected:
        """Make a nonce for a worker that is about to be asked for. `forget` ends the waiting."""
        expected = Expected(role, secrets.token_hex(16), self._loop.create_future())
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
        """Stop listening and remove the folder; does nothing the second time."""
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket)
            self._socket.close()
        for expected in list(self._expected.values()):
            self.forget(expected)
        for stream in list(self._strangers):
            self._turn_away(stream)
        self._folder.remove()

    def _await_strangers(self) -> None:
        if self._socket.fileno() >= 0:
            self._loop.add_reader(self._socket, self._accept)

    def _accept(self) -> None:
        try:
            connected, _ = self._socket.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:  # as a rule there are no descriptors left: who waits is let in when there are
            self._loop.remove_reader(self._socket)
            self._loop.call_later(FULL_SECONDS, self._await_strangers)
            return
        self._meet(Stream(connected))

    def _meet(self, stream: Stream) -> None:
        """Wait for the hello of a process that has no connection yet; close any other's."""
        pid = _UCRED.unpack(stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))[0]
        try:
            pidfd = -1 if pid == 0 or pid in self._pids else _open_pidfd(stream.socket, pid)
        except OSError:  # it is dead already
            pidfd = -1
        if pidfd < 0:
            stream.abort()
            return
        if len(self._strangers) == MAX_STRANGERS:
            self._turn_away(next(iter(self._strangers)))
        self._pids.add(pid)
        deadline = self._loop.call_later(HELLO_SECONDS, self._turn_away, stream)
        self._strangers[stream] = Stranger(pid, pidfd, deadline)
        stream.listen(
            lambda message: self._take_hello(stream, message),
            lambda _reason: self._turn_away(stream),
            limit=HELLO_BYTES,
        )

    def _turn_away(self, stream: Stream) -> None:
        stranger = self._strangers.pop(stream)
        stranger.deadline.cancel()
        self.release(stranger.pid)
        stream.abort()
        os.close(stranger.pidfd)

    def _take_hello(self, stream: Stream, message: Message) -> None:
        """Keep the connection if its first message is a hello that was expected."""
        fields = Fields(message)
        expected = self._expected.get(fields.text("nonce"))
        inner_pid = fields.integer("pid")
        if message.kind != "hello" or expected is None or fields.word("role") != expected.role:
            raise WorkerError("Nobody waits for that hello.")
        stranger = self._strangers.pop(stream)
        stranger.deadline.cancel()
        stream.pause()
        del self._expected[expected.nonce]
        expected.connection.set_result(Connection(stream, stranger.pid, stranger.pidfd, expected.role, inner_pid))


def _open_pidfd(peer: socket.socket, pid: int) -> int:
    """The pidfd of the peer itself where the system gives it; else of whoever bears its pid by now."""
    with contextlib.suppress(OSError):
        return peer.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    return os.pidfd_open(pid)
