"""The texts of goals, invariants and base code, with the hashes that tell when they changed.

Nothing here reads Lisp: the kernel splits the texts into checks.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from jiti_tui.errors import WorldFolderError
from jiti_tui.frozen import frozen
from jiti_tui.world.files import SourceFile, read_source
from jiti_tui.world.folder import World

_CHECK_BYTES = 1_048_576
_BASE_BYTES = 8_388_608
_MOST_FILES = 1000


@frozen
class CheckFiles:
    """What is to be checked, in the order in which it is shown."""

    goals: tuple[SourceFile, ...]
    invariants: tuple[SourceFile, ...]

    @property
    def sha256(self) -> str:
        """A hash of names and contents, in hexadecimal: another one means that a check may have changed."""
        total = hashlib.sha256()
        for kind, files in (("goal", self.goals), ("invariant", self.invariants)):
            for file in files:
                total.update(f"{kind} {file.sha256} {file.file}\n".encode("utf-8", "surrogateescape"))
        return total.hexdigest()


def read_check_files(world: World) -> CheckFiles:
    """The goal and invariant files as they are on disk now, those that were made since the world was read included.

    Raises WorldFolderError with the file and the line.
    """
    invariants = _made_since(world.invariants, world.path / "invariants.lisp")
    return CheckFiles(
        goals=tuple(read_source(path, world.shown(path), _CHECK_BYTES) for path in _goal_paths(world)),
        invariants=tuple(read_source(path, world.shown(path), _CHECK_BYTES) for path in invariants),
    )


def read_base_files(world: World) -> tuple[SourceFile, ...]:
    """The trusted base files in the order in which they are loaded. Raises WorldFolderError."""
    return tuple(read_source(path, world.shown(path), _BASE_BYTES) for path in world.load)


def watched_folders(world: World) -> tuple[Path, ...]:
    """The folders to watch for saved check files: an atomic save replaces the file, so its folder is what tells."""
    folders = {world.path}
    if world.goals:
        folders.add(world.goals if world.goals.is_dir() else world.goals.parent)
    if world.invariants:
        folders.add(world.invariants.parent)
    return tuple(sorted(folders))


def _made_since(named: Path | None, usual: Path) -> tuple[Path, ...]:
    """The file that world.toml names or that was there, else the usual one if there is one by now."""
    if named is not None:
        return (named,)
    return (usual,) if usual.is_file() else ()


def _goal_paths(world: World) -> tuple[Path, ...]:
    if world.goals is None:
        return _made_since(None, world.path / "goals.lisp")
    if not world.goals.is_dir():
        return (world.goals,)
    paths = tuple(sorted(path for path in world.goals.glob("*.lisp") if not path.name.startswith(".")))
    if len(paths) > _MOST_FILES:
        raise WorldFolderError(
            f"{world.shown(world.goals)} holds more than {_MOST_FILES} files: use fewer, larger ones."
        )
    for path in paths:
        if not path.resolve().is_relative_to(world.path):
            raise WorldFolderError(
                f"{world.shown(path)} is a link to a place outside the world folder: move the file inside."
            )
    return paths
