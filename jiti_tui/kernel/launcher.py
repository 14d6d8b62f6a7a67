"""Starts the program that holds all workers of a keeper, and keeps the last of what it says."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

TAIL_BYTES = 16384
PIPE_BYTES = 65536

_WATCHED = 'exec 3<&0 </dev/null; { read -r _ <&3; kill -KILL 0; } & exec 3<&-; exec "$@"'
"""For sh: become the program, and leave a watcher that kills the process group when the controller has gone.

bubblewrap that is killed while it starts leaves a child that waits for it for ever: --die-with-parent does not reach it
yet. The watcher sees the end of the pipe that only the controller holds.
"""


class Launched:
    """A child process. It is started by a thread that lives exactly as long as the child does.

    That is for bubblewrap's --die-with-parent, which fires when the thread that started it ends.
    """

    def __init__(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        descriptors: Sequence[int],
        watched: bool,
        user: int | None,
    ) -> None:
        self._argv = ("/bin/sh", "-c", _WATCHED, "sh", *argv) if watched else argv
        self._input = subprocess.PIPE if watched else subprocess.DEVNULL
        self._environment = environment
        self._descriptors = descriptors
        self._identity: dict[str, Any] = {} if user is None else {"user": user, "group": user, "extra_groups": ()}
        self._loop = asyncio.get_running_loop()
        self._started: asyncio.Future[subprocess.Popen[bytes]] = self._loop.create_future()
        self._tail = bytearray()
        self.exited: asyncio.Future[int] = self._loop.create_future()
        """Its exit code, negative for a signal, once it has ended."""

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        descriptors: Sequence[int] = (),
        watched: bool = False,
        user: int | None = None,
    ) -> Launched:
        """Run `argv` with exactly `environment`, in a session of its own and in `/`, with nothing on its input.

        It inherits `descriptors`. `watched`: its process group is killed when the controller is. `user` is the uid and
        the gid that it gets, the controller's where it is None. Raises `OSError` when it cannot be run.
        """
        launched = cls(argv, environment, descriptors, watched, user)
        threading.Thread(target=launched._run, name="launcher", daemon=True).start()
        try:
            await asyncio.shield(launched._started)
        except asyncio.CancelledError:
            launched._started.add_done_callback(_kill_unless_failed)
            raise
        return launched

    def take_tail(self) -> str:
        """Return the last `TAIL_BYTES` that it and its children have written since the last call, to either output."""
        tail = self._tail.decode(errors="replace").strip()
        self._tail.clear()
        return tail

    async def kill(self) -> None:
        """Send SIGKILL and wait until the child has ended."""
        self._started.result().kill()
        await asyncio.wait({self.exited})

    def _run(self) -> None:
        try:
            process = subprocess.Popen(
                self._argv,
                env=self._environment,
                cwd="/",
                pass_fds=self._descriptors,
                stdin=self._input,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **self._identity,
            )
        except OSError as error:
            self._call(self._started.set_exception, error)
            return
        self._call(self._follow, process)
        self._call(self._end, process, process.wait())

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        # A loop that is closed has nobody left who would want to know.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._loop.add_reader(process.stdout, self._read, process.stdout)
        self._started.set_result(process)

    def _read(self, stream: IO[bytes]) -> None:
        try:
            data = os.read(stream.fileno(), TAIL_BYTES)
        except BlockingIOError:
            return
        self._tail = (self._tail + data)[-TAIL_BYTES:]
        if not data:
            self._loop.remove_reader(stream)

    def _end(self, process: subprocess.Popen[bytes], code: int) -> None:
        assert process.stdout is not None
        if process.stdin is not None:
            process.stdin.close()
        # Others may hold the pipe still and go on writing: what the child itself has written fits into a pipe.
        for _ in range(PIPE_BYTES // TAIL_BYTES):
            self._read(process.stdout)
        self._loop.remove_reader(process.stdout)
        process.stdout.close()
        self.exited.set_result(code)


def _kill_unless_failed(started: asyncio.Future[subprocess.Popen[bytes]]) -> None:
    if started.exception() is None:
        started.result().kill()
