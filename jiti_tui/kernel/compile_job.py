"""Has definitions compiled by a process of its own, which a session leaves to itself when it ends.

`python -m jiti_tui.kernel.compile_job` is that process: it reads a `Job` from its input, makes the core, and says on
standard error why it could not.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
import tempfile
from pathlib import Path
from typing import IO

from jiti_tui.errors import WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.definitions_core import DefinitionsCore
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.sbcl import Sbcl

JOB_SECONDS = 300
"""How long such a process lives at most, waiting for others that fill the cache included."""
MAX_SAID = 2000


@frozen
class Job:
    """What `DefinitionsCore.build` takes."""

    core: DefinitionsCore
    sbcl: Sbcl
    sandbox: Sandbox
    base: Path
    opening: Opening
    definitions: str
    heap_mb: int


class CompileProcess:
    """The process that does a job. It is in a session of its own and holds nothing of who started it."""

    def __init__(self, job: Job) -> None:
        """Start it, from a running loop. Raises WorkerError when that cannot be."""
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Once it has ended: why there is no core, "" where there is one."""
        try:
            with tempfile.TemporaryFile() as given:
                pickle.dump(job, given)
                given.seek(0)
                self._said = tempfile.TemporaryFile()  # noqa: SIM115 - read when it has ended
                self.pid = _spawn(given, self._said)
                """Of the process, which leads a session and a process group of its own."""
            self._pidfd = os.pidfd_open(self.pid)
        except OSError as error:
            raise WorkerError(f"No process for it can be started: {error.strerror}.") from error
        asyncio.get_running_loop().add_reader(self._pidfd, self._reap)

    def stop(self) -> None:
        """Tell it to end without a core; it removes what it has begun."""
        if not self.ended.done():
            signal.pidfd_send_signal(self._pidfd, signal.SIGTERM)

    def leave(self) -> None:
        """Follow it no longer, since the loop ends: it ends by itself, within `JOB_SECONDS`."""
        self._forget("")

    def _reap(self) -> None:
        _, status = os.waitpid(self.pid, 0)
        self._said.seek(0)
        said = self._said.read(MAX_SAID).decode(errors="replace").strip()
        self._forget("" if status == 0 else said or f"it ended with {os.waitstatus_to_exitcode(status)}")

    def _forget(self, result: str) -> None:
        asyncio.get_running_loop().remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._said.close()
        self.ended.set_result(result)


def _spawn(given: IO[bytes], said: IO[bytes]) -> int:
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-m", __name__],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, given.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, said.fileno(), 2),
        ],
        setsid=True,
    )


async def _do(job: Job) -> None:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with asyncio.timeout(JOB_SECONDS):
        await job.core.build(job.sbcl, job.sandbox, job.base, job.opening, job.definitions, job.heap_mb)


def main() -> int:
    """Do the job on standard input; return 0 when the core is there."""
    os.chdir("/")  # it may outlive what the session was started in
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the session that has started this process
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_do(job))
            return 0
    except WorkerError as error:
        print(error, file=sys.stderr)
    except TimeoutError:
        print(f"It took longer than {JOB_SECONDS} s.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
