"""The sandbox of a keeper and all that it forks: bubblewrap's arguments, and whether bubblewrap works here at all."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from jiti_tui.frozen import frozen
from jiti_tui.kernel.launcher import Launched
from jiti_tui.kernel.seccomp import open_filter
from jiti_tui.kernel.unprivileged import UNPRIVILEGED, may_end_others

SOCKET_DIRECTORY = "/run/jiti"
CORE = "/run/kernel.core"
LISP_DIRECTORY = "/run/lisp"
WORK_DIRECTORY = "/run/base"
FILES_DIRECTORY = "/files"
"""Where copies of the world's files are, one for each process that may become the world."""

_HOME = "/home/world"
_TEMPORARY = "/tmp"  # noqa: S108 - the sandbox's own
_WRITABLE = ((_TEMPORARY, 64 * 1024 * 1024), (_HOME, 1024 * 1024), ("/dev/shm", 16 * 1024 * 1024))  # noqa: S108
"""Where a worker can write besides `FILES_DIRECTORY`, all in memory, and how many bytes each place takes."""

SCRATCH = ":".join(place for place, _ in _WRITABLE)
"""These places as one text. They are emptied with each attempt."""

_PROBE_SECONDS = 10
_SYSTEM_FOLDERS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")


@frozen
class Sandbox:
    """Whether workers can be confined. `bwrap` is None when they cannot, and then `reason` is a sentence that says why.

    `user` is who bubblewrap runs as, where that is not the controller's own user: root's sandboxes run as another.
    """

    bwrap: str | None
    reason: str = ""
    user: int | None = None

    @property
    def processes_bounded(self) -> bool:
        """Whether the bound on the number of processes holds: the kernel exempts root."""
        return self.user is not None or os.getuid() != 0


async def probe_sandbox() -> Sandbox:
    """Start bubblewrap once, as it would be for a keeper, around a program that does nothing."""
    if os.getuid() == 0 and may_end_others():
        sandbox = await _probe(UNPRIVILEGED)
        if sandbox.bwrap is not None:
            return sandbox
    return await _probe(None)


async def _probe(user: int | None) -> Sandbox:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return Sandbox(None, "bubblewrap is not installed (on Debian or Ubuntu: apt install bubblewrap).")
    with open_filter() as seccomp:
        argv = [*sandbox_argv(bwrap, readable=(), seccomp=seccomp), "/usr/bin/true"]
        descriptors = [] if seccomp is None else [seccomp]
        try:
            launched = await Launched.start(argv, environment={}, descriptors=descriptors, watched=True, user=user)
        except OSError as error:
            return Sandbox(None, f"bubblewrap cannot be run: {error.strerror}.")
    await asyncio.wait({launched.exited}, timeout=_PROBE_SECONDS)
    if not launched.exited.done():
        await launched.kill()
        return Sandbox(None, f"bubblewrap did not answer within {_PROBE_SECONDS} s.")
    code = launched.exited.result()
    if code != 0:
        said = launched.take_tail()[-300:] or f"it ends with {code}"
        return Sandbox(None, f"bubblewrap cannot run here: {said}.")
    return Sandbox(bwrap, user=user)


def sandbox_argv(
    bwrap: str,
    *,
    readable: Sequence[tuple[Path, str]],
    writable: Sequence[tuple[Path, str]] = (),
    environment: Sequence[tuple[str, str]] = (),
    files_bytes: int = 0,
    seccomp: int | None,
) -> list[str]:
    """Return bubblewrap's arguments, up to and without the program that it shall run.

    `readable` are files and folders of the host and where they appear inside, all read-only; `writable` likewise are
    those that what runs inside may change. `environment` is added to the few variables that are set in any case.
    `files_bytes` is the size of `FILES_DIRECTORY`, which is in memory too; 0: there is none.
    `seccomp` is a descriptor from `open_filter` that bubblewrap must inherit. What is not named here is not there: no
    network, no other process, no file of the user.
    """
    argv = [
        *(bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "world", "--clearenv"),
    ]
    for name, value in (*clean_environment(_HOME, _TEMPORARY).items(), *environment):
        argv += ["--setenv", name, value]
    argv += ["--ro-bind", "/usr", "/usr", *_system_folders(), "--dir", "/etc"]
    argv += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--proc", "/proc", "--dev", "/dev"]
    for place, size in (*_WRITABLE, *([(FILES_DIRECTORY, files_bytes)] if files_bytes else [])):
        argv += ["--size", str(size), "--tmpfs", place]
    for source, place in readable:
        argv += ["--ro-bind", str(source), place]
    for source, place in writable:
        argv += ["--bind", str(source), place]
    argv += ["--remount-ro", "/", "--chdir", _TEMPORARY]
    return argv if seccomp is None else [*argv, "--seccomp", str(seccomp)]


def clean_environment(home: str, temporary: str) -> dict[str, str]:
    """Return the whole environment of a worker: nothing of the user's, so no key either."""
    return {"PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8", "TMPDIR": temporary}


def _system_folders() -> list[str]:
    """`/lib` and its like: links into /usr where the system has merged them, folders of their own elsewhere."""
    arguments = []
    for name in _SYSTEM_FOLDERS:
        folder = Path("/", name)
        if folder.is_symlink():
            arguments += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            arguments += ["--ro-bind", str(folder), str(folder)]
    return arguments
