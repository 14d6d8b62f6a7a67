"""The base code under a revision: which of its files are others than when the revision was accepted."""

from __future__ import annotations

from collections.abc import Mapping

from jiti_tui.world.check_files import read_base_files
from jiti_tui.world.folder import World


def base_hashes(world: World) -> dict[str, str]:
    """The base files as they are on disk now: names, and the SHA-256 of each. Raises WorldFolderError."""
    return {file.file: file.sha256 for file in read_base_files(world)}


def changed_files(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names of the files that came, went or changed from `before` to `now`, sorted."""
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
