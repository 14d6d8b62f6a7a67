"""The base code under a revision: which of its files are others than when the revision was accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jiti_tui.world.files import SourceFile


def base_hashes(files: Iterable[SourceFile]) -> dict[str, str]:
    """The names of base files, and the SHA-256 of each, as manifests keep them."""
    return {file.file: file.sha256 for file in files}


def changed_files(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names of the files that came, went or changed from `before` to `now`, sorted."""
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
