"""Watches the folders of the check files: a saved file comes to the desk as news."""

from __future__ import annotations

from jiti_tui.engine.desk import Desk, FilesChanged
from jiti_tui.world.check_files import watched_folders
from jiti_tui.world.folder import World

QUIET_MS = 100
"""How long a folder must be quiet before its news are told: an editor writes, renames and touches."""


async def watch(world: World, desk: Desk) -> None:
    """Put `FilesChanged` on the desk whenever a Lisp file beside the check files changes. Ends when it is cancelled."""
    from watchfiles import awatch  # noqa: PLC0415 - the world must not wait for it

    async for changes in awatch(*watched_folders(world), recursive=False, debounce=QUIET_MS, step=QUIET_MS // 2):
        if any(path.endswith(".lisp") for _, path in changes):
            desk.put(FilesChanged())
