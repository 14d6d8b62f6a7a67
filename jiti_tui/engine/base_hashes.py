"""The base code under a revision: what of it is other than when the revision was accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jiti_tui.world.files import SourceFile


def base_hashes(files: Iterable[SourceFile], systems: Mapping[str, str]) -> dict[str, str]:
    """The names of base files and of `systems`, and the SHA-256 of each, as manifests keep them."""
    return {file.file: file.sha256 for file in files} | {f"system {name}": sha256 for name, sha256 in systems.items()}


def changed_files(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names of the files and systems that came, went or changed from `before` to `now`, sorted."""
    return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
