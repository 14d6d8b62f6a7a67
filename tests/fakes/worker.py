"""A worker process that does what it is told, however wrong: `worker.py SOCKET STEP...`.

Steps: `hello ROLE NONCE`, `send SEXP` (framed), `raw TEXT` (as it is), `take` (one request), `stopped SEXP` (send it
when SIGXCPU comes), `close` (the connection, not the process), `daemon` (a child that holds the connection until the
other side closes it), `crowd N` (N children that connect and say nothing), `betray ROLE` (takes a request to fork, and
has a child say hello for it, but answers with another pid), `hang`, `exit`. SIGXCPU is not heard otherwise.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Sequence


def frame(text: str) -> bytes:
    body = text.encode()
    return b"%06x" % len(body) + body


def hello(role: str, nonce: str, pid: int) -> bytes:
    return frame(f'(:hello :role :{role} :nonce "{nonce}" :pid {pid})')


def take(connection: socket.socket) -> str:
    size = int(connection.recv(6, socket.MSG_WAITALL), 16)
    return connection.recv(size, socket.MSG_WAITALL).decode()


def betray(connection: socket.socket, role: str) -> None:
    nonce = take(connection).partition(':nonce "')[2].partition('"')[0]
    if os.fork() == 0:
        stranger = socket.socket(socket.AF_UNIX)
        stranger.connect(sys.argv[1])
        stranger.sendall(hello(role, nonce, os.getpid()))
        stranger.recv(1)  # until the listener closes it
        os._exit(0)
    connection.sendall(frame(f"(:forked :pid {os.getpid()})"))


def act(connection: socket.socket, step: str, arguments: Sequence[str]) -> None:
    match step:
        case "hello":
            connection.sendall(hello(arguments[0], arguments[1], os.getpid()))
        case "send":
            connection.sendall(frame(arguments[0]))
        case "raw":
            connection.sendall(arguments[0].encode())
        case "take":
            take(connection)
        case "stopped":
            signal.sigwait({signal.SIGXCPU})
            connection.sendall(frame(arguments[0]))
        case "close":
            connection.close()
        case "daemon":
            if os.fork() == 0:
                connection.recv(1)
                os._exit(0)
        case "crowd":
            for _ in range(int(arguments[0])):
                if os.fork() == 0:
                    stranger = socket.socket(socket.AF_UNIX)
                    stranger.connect(sys.argv[1])
                    stranger.recv(1)  # until the listener closes it
                    os._exit(0)
        case "betray":
            betray(connection, arguments[0])
        case "hang":
            signal.pause()
        case "exit":
            os._exit(0)
        case _:
            raise ValueError(step)


def main() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXCPU})
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    for step in sys.argv[2:]:
        name, *arguments = step.split("\t")
        act(connection, name, arguments)


if __name__ == "__main__":
    main()
