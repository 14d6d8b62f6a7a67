"""The user that a sandbox runs as where the controller is root: Linux exempts root from the bound on processes.

Nothing on the machine belongs to that user. What it cannot reach, such as the cache in root's home, is lent to it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

from jiti_tui.kernel.sbcl import Sbcl

UNPRIVILEGED = 65530
"""A uid, and a gid, that systemd's table of users leaves unused (systemd.io, Users, Groups, UIDs and GIDs)."""

_CAP_KILL = 5  # linux/capability.h


def may_end_others() -> bool:
    """Whether this process may send signals to other users' processes; root in a container may have lost that."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (capabilities,) = [line.split()[1] for line in status.splitlines() if line.startswith("CapEff:")]
    return bool(int(capabilities, 16) >> _CAP_KILL & 1)


def reachable(path: Path) -> bool:
    """Whether every user can read `path` and enter the folders above it, and all folders of `path` itself."""
    path = path.resolve()
    try:
        mode = path.stat().st_mode
        wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        return mode & wanted == wanted and all(folder.stat().st_mode & stat.S_IXOTH for folder in path.parents)
    except OSError:
        return False


def runs_for_everyone(sbcl: Sbcl) -> bool:
    """Whether a user who is not root can run `sbcl`."""
    return all(reachable(path) for path in (sbcl.runtime, sbcl.core, sbcl.home) if path)


def lend(path: Path, folder: Path) -> Path:
    """Return where every user who can enter `folder` can read `path`: there itself, or a link or copy in `folder`.

    Raises `OSError`.
    """
    if reachable(path):
        return path
    lent = folder / path.name
    if path.is_dir():
        shutil.copytree(path, lent, copy_function=shutil.copyfile)
        for place in (lent, *lent.rglob("*")):
            place.chmod(0o755 if place.is_dir() else 0o644)
        return lent
    if path.stat().st_mode & stat.S_IROTH:
        with contextlib.suppress(OSError):  # another file system, or one without links
            os.link(path, lent)
            return lent
    shutil.copyfile(path, lent)
    lent.chmod(0o644)
    return lent
