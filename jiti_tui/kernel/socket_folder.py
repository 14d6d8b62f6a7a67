"""The folder of a controller's socket: private, and removed with the controller or, after SIGKILL, by the next one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from jiti_tui.kernel.unprivileged import UNPRIVILEGED, reachable

SOCKET_NAME = "socket"

_PREFIX = "jiti-"
_LONGEST_BASE = 80
"""The path of a Unix socket takes at most 107 bytes (unix(7))."""


class SocketFolder:
    """A fresh folder with mode 0700. It is locked as long as its controller lives."""

    def __init__(self) -> None:
        """Make the folder, under XDG_RUNTIME_DIR where that is usable. Raises `OSError`."""
        base = _base()
        _remove_abandoned(base)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def give(self, user: int) -> None:
        """Make folder and socket that user's, who alone can enter and connect then, besides root; needs root."""
        os.chown(self.socket, user, -1)
        os.chown(self.path, user, -1)

    @property
    def socket(self) -> Path:
        """Where the socket belongs."""
        return self.path / SOCKET_NAME

    def remove(self) -> None:
        """Remove the folder and all in it; does nothing the second time."""
        if self._lock >= 0:
            with contextlib.suppress(OSError):  # it may be gone
                os.chown(self.path, os.geteuid(), -1)  # root in a container cannot always enter what is another user's
            _remove(self.path)
            os.close(self._lock)
            self._lock = -1


def _base() -> Path:
    named = os.environ.get("XDG_RUNTIME_DIR", "")
    usable = Path(named).is_absolute() and len(os.fsencode(named)) <= _LONGEST_BASE and os.access(named, os.W_OK)
    if os.geteuid() == 0:  # the sandbox may run as another user
        usable = usable and reachable(Path(named))
    return Path(named if usable else "/tmp")  # noqa: S108 - mkdtemp makes a private folder in it


def _remove_abandoned(base: Path) -> None:
    """Remove the folders of controllers that were killed. One that has no socket may still be in the making."""
    own = {os.geteuid()} | ({UNPRIVILEGED} if os.geteuid() == 0 else set())
    for folder in base.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # another user's, or gone meanwhile
            if not (folder / SOCKET_NAME).is_socket():
                continue
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(descriptor).st_uid in own:
                    _remove(folder)
            finally:
                os.close(descriptor)


def _remove(folder: Path) -> None:
    """Remove the socket last: by that the next controller knows what one that is killed meanwhile has left."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != SOCKET_NAME:
                path.unlink()
    shutil.rmtree(folder, ignore_errors=True)
