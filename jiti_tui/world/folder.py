"""Reads a world folder: world.toml and the places of the files that it names."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jiti_tui.budget import Budgets
from jiti_tui.errors import WorldFolderError, place
from jiti_tui.frozen import frozen
from jiti_tui.model_settings import ModelSettings
from jiti_tui.world.files import read_text
from jiti_tui.world.settings import Limits, Policy, Request, WorldToml
from jiti_tui.world.toml_errors import sentence
from jiti_tui.world.toml_lines import Location, key_line

TOML = "world.toml"
TRANSCRIPT = "transcript.jsonl"
STORE = "store"
TOML_BYTES = 1_048_576


@frozen
class World:
    """A world folder as world.toml describes it. Paths are absolute; those of the folder's own files lie inside it."""

    path: Path
    name: str
    """The folder's name."""
    title: str
    packages: tuple[str, ...]
    """Managed packages; the first is the one in which forms, goals and values are read and printed."""
    load: tuple[Path, ...]
    systems: tuple[str, ...]
    files: tuple[tuple[str, Path], ...]
    """Names of directory adapters, each with the folder of the files that a new world begins with."""
    invariants: Path | None
    """The file of invariants, None where there is none."""
    goals: Path | None
    """The file of goals, or a folder of which every `*.lisp` is one, None where there is neither."""
    requests: tuple[Request, ...]
    limits: Limits
    policy: Policy
    model: ModelSettings
    budget: Budgets
    transcript: Path | None
    """The recorded answers, None where there are none."""
    store: Path
    toml: str
    """The text of world.toml: the lines of errors that show only once the checks are known come from it."""

    def shown(self, path: Path) -> str:
        """`path` as messages and manifests name it: relative to the folder, with slashes."""
        return path.relative_to(self.path).as_posix()


def read_world(path: Path, store: Path | None = None) -> World:
    """The world in the folder `path`; `store` puts its store elsewhere than in `path`/store.

    Raises WorldFolderError, which names the file, the line where it is known, and the key at fault.
    """
    folder = _world_folder(path)
    text = read_text(folder / TOML, TOML, TOML_BYTES)
    settings = _settings(text)
    return World(
        path=folder,
        name=folder.name,
        title=settings.title or folder.name,
        packages=settings.packages,
        load=tuple(inside(folder, name, text, ("load", index)) for index, name in enumerate(settings.load)),
        systems=settings.systems,
        files=tuple((name, _folder(folder, text, name, place)) for name, place in settings.files.items()),
        invariants=_invariants(folder, settings, text),
        goals=_goals(folder, settings, text),
        requests=settings.requests,
        limits=settings.limits,
        policy=settings.policy,
        model=settings.model,
        budget=settings.budget,
        transcript=folder / TRANSCRIPT if (folder / TRANSCRIPT).is_file() else None,
        store=Path(os.path.realpath(store or folder / STORE)),
        toml=text,
    )


def _world_folder(path: Path) -> Path:
    """The folder at `path`, with all links resolved, where it holds a world.toml. Raises WorldFolderError."""
    folder = Path(os.path.realpath(path))
    try:
        if not folder.exists():
            raise WorldFolderError(f"{path} does not exist: name a world folder, one with a {TOML} in it.")
        if not folder.is_dir():
            raise WorldFolderError(f"{path} is not a folder: name a world folder, one with a {TOML} in it.")
        if not (folder / TOML).exists():
            raise WorldFolderError(
                f'{path} has no {TOML}: a world needs one with a line such as packages = ["MY-WORLD"].'
            )
    except OSError as error:
        raise WorldFolderError(f"{path} cannot be read: {error.strerror}. Name a folder that can.") from error
    return folder


def _settings(text: str) -> WorldToml:
    table = toml_table(text)
    try:
        return WorldToml.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise complaint(text, first["loc"], sentence(first, WorldToml)) from None


def toml_table(text: str) -> dict[str, Any]:
    """The table that `text` writes down. Raises WorldFolderError with the line at which it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Not only TOMLDecodeError: a number of 5,000 digits is a plain ValueError, and brackets without end recurse.
        told = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        last = text.rstrip().count("\n") + 1 if str(error).endswith("(at end of document)") else None
        reason = re.sub(r" \(at .*\)$", "", str(error))
        line = int(told[1]) if told else last
        raise WorldFolderError(f"{place(TOML, line)}: this is not TOML: {reason}.") from None


def complaint(text: str, location: Location, reason: str) -> WorldFolderError:
    """The error of the key at `location` in the TOML `text`, with its line where that is found."""
    return WorldFolderError(f"{place(TOML, key_line(text, location))}: {reason}")


def _invariants(folder: Path, settings: WorldToml, text: str) -> Path | None:
    if settings.invariants is not None:
        return inside(folder, settings.invariants, text, ("invariants",))
    return _default(folder, "invariants.lisp")


def _goals(folder: Path, settings: WorldToml, text: str) -> Path | None:
    if settings.goals is not None:
        return inside(folder, settings.goals, text, ("goals",), folder_too=True)
    file, many = _default(folder, "goals.lisp"), folder / "goals"
    if file and many.is_dir():
        raise WorldFolderError(
            f"{folder.name} has both goals.lisp and goals/: "
            f'say which in {TOML} with goals = "goals.lisp" or goals = "goals".'
        )
    return file or (many if many.is_dir() else None)


def _default(folder: Path, name: str) -> Path | None:
    return folder / name if (folder / name).is_file() else None


def _folder(folder: Path, text: str, adapter: str, name: str) -> Path:
    """The folder `name`, whose files `adapter` begins with."""
    location = ("files", adapter)
    path = inside(folder, name, text, location, folder_too=True)
    if path.is_symlink() or not path.is_dir():
        raise complaint(text, location, f'files names "{name}", which is not a folder.')
    return path


def inside(folder: Path, name: str, text: str, location: Location, *, folder_too: bool = False) -> Path:
    """The file `name` of the folder, which the key at `location` of the TOML `text` names.

    A link that leads outside is outside: a world is made of its folder alone. Raises WorldFolderError.
    """
    path = Path(os.path.normpath(folder / name))
    try:
        # RuntimeError is what Path.resolve raises for links that lead in a circle.
        within = path.resolve().is_relative_to(folder) and path.is_relative_to(folder)
        exists = path.exists()
    except (OSError, RuntimeError):
        within, exists = True, False
    if not within:
        wrong = "is outside the world folder: move it inside"
    elif not exists:
        wrong = "does not exist: make it, or remove the name"
    elif not (path.is_file() or (folder_too and path.is_dir())):
        wrong = "is neither a file nor a folder" if folder_too else "is not a file"
    else:
        return path
    raise complaint(text, location, f'{location[0]} names "{name}", which {wrong}.')
