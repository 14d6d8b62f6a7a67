"""Where ASDF looks for systems: the world folder, then the user's own places, then the system's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from jiti_tui.errors import BaseCodeError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sbcl import Sbcl, run_script

_SECONDS = 60
_QUICKLISP = ("quicklisp/local-projects", "quicklisp/dists")
"""Folders of the home in which Quicklisp keeps systems; ASDF itself does not look there."""


@frozen
class SourceFolder:
    """A folder that exists; `tree` when the folders below it are searched too."""

    path: Path
    tree: bool


async def source_folders(sbcl: Sbcl, world: Path) -> tuple[SourceFolder, ...]:
    """The folders in which systems are looked for, in order of precedence; `world` is the first.

    ASDF itself says which they are, by the user's environment and configuration (CL_SOURCE_REGISTRY,
    source-registry.conf, ~/common-lisp and so on); then come Quicklisp's. Raises BaseCodeError when it cannot say.
    """
    try:
        code, output = await run_script(sbcl.command, "--load", lisp_directory() / "registry.lisp", seconds=_SECONDS)
    except TimeoutError:
        raise BaseCodeError(f"ASDF did not say within {_SECONDS} s where systems are.") from None
    text = os.fsdecode(output)
    if code != 0:
        raise BaseCodeError(
            f"ASDF cannot say where systems are: {' '.join(text.split())[:400]}. "
            "Correct CL_SOURCE_REGISTRY, or source-registry.conf."
        )
    lines = (line.partition(" ") for line in text.splitlines())
    asdf = [SourceFolder(Path(path), kind == "tree") for kind, _, path in lines if kind in ("tree", "folder")]
    quicklisp = [SourceFolder(Path.home() / name, True) for name in _QUICKLISP]
    return tuple(_distinct([SourceFolder(world, True), *asdf, *quicklisp]))


def system_definitions(folders: Iterable[SourceFolder]) -> list[Path]:
    """Every `*.asd` in `folders`, in their order: what ASDF finds depends on no other file name."""
    found = []
    for folder in folders:
        for path, names in _searched(folder):
            found += [path / name for name in sorted(names) if name.endswith(".asd")]
    return found


def linked_folders(folders: Iterable[SourceFolder]) -> list[Path]:
    """The folders that links in `folders` lead to, of folders and of `*.asd`: systems lie there too."""
    found = set()
    for folder in folders:
        for path, names in _searched(folder):
            if path.is_symlink():
                found.add(path.resolve())
            asds = (path / name for name in names if name.endswith(".asd"))
            found |= {asd.resolve().parent for asd in asds if asd.is_symlink()}
    return sorted(found)


def _distinct(folders: Iterable[SourceFolder]) -> Iterator[SourceFolder]:
    seen = set()
    for folder in folders:
        # A search of the whole disk is a slip, and cannot be bound into a sandbox.
        if folder.path not in seen and folder.path.is_dir() and folder.path != Path("/"):
            seen.add(folder.path)
            yield folder


def _searched(folder: SourceFolder) -> Iterator[tuple[Path, list[str]]]:
    """The folders that a search of `folder` visits, and the names of the files in each. A loop of links ends."""
    seen = set()
    for path, folders, files in os.walk(folder.path, followlinks=True):
        place = os.path.realpath(path)
        if place in seen:
            folders.clear()
            continue
        seen.add(place)
        folders[:] = sorted(name for name in folders if folder.tree and not name.startswith("."))
        yield Path(path), files
