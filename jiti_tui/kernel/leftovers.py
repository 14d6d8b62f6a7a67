"""Ends what code of a world has left running where there is no sandbox and the keeper, which would end it, was killed.

The environment tells: a keeper without a sandbox has the folder of its socket as its home, and so has all that comes
of it, unless it has taken care to have another one.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path


def end_leftovers(home: Path) -> int:
    """Kill every process that has `home` as its HOME, until there is none. Returns how many there were."""
    killed: set[int] = set()
    while found := {pid for pid in _running() if pid not in killed and _kill_if_at_home(pid, home)}:
        killed |= found
    return len(killed)


def _running() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def _kill_if_at_home(pid: int, home: Path) -> bool:
    with contextlib.suppress(OSError):  # it has ended, or is another user's
        pidfd = os.pidfd_open(pid)  # before looking: the number may be another process's a moment later
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            if b"HOME=" + os.fsencode(home) in environment:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                return True
        finally:
            os.close(pidfd)
    return False
