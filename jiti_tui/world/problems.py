"""All that is wrong with a world folder as far as no Lisp is needed to know it. `read_world` stops at the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jiti_tui.errors import WorldFolderError
from jiti_tui.world.check_files import read_base_files, read_check_files
from jiti_tui.world.files import read_text
from jiti_tui.world.folder import TOML, TOML_BYTES, World, complaint, inside, read_world, toml_table
from jiti_tui.world.initial_files import read_initial_files
from jiti_tui.world.settings import WorldToml
from jiti_tui.world.toml_errors import sentence
from jiti_tui.world.toml_lines import Location


def folder_problems(path: Path) -> list[str]:
    """A sentence for everything that keeps the folder `path` from being read as a world; none when it is read."""
    try:
        read_world(path)
    except WorldFolderError as error:
        first = str(error)
    else:
        return []
    try:
        text = read_text(path / TOML, TOML, TOML_BYTES)
        table = toml_table(text)
    except (WorldFolderError, OSError):
        return [first]
    found = [*_keys(text, table), *_places(path.resolve(), text, table)]
    return found if first in found else [first, *found]


def file_problems(world: World) -> list[str]:
    """A sentence for each group of files of `world` that cannot be read as text: base, checks, what a world begins
    with.
    """
    readings: tuple[Callable[[World], object], ...] = (read_base_files, read_check_files, read_initial_files)
    return [problem for reading in readings for problem in _failure(reading, world)]


def _failure(reading: Callable[[World], object], world: World) -> Iterator[str]:
    try:
        reading(world)
    except WorldFolderError as error:
        yield str(error)


def _keys(text: str, table: dict[str, Any]) -> Iterator[str]:
    try:
        WorldToml.model_validate(table)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        within = {found["loc"][:length] for found in errors for length in range(len(found["loc"]))}
        for found in errors:
            # Of a list with a wrong entry pydantic also says that it is too short.
            if found["loc"] not in within:
                yield str(complaint(text, found["loc"], sentence(found, WorldToml)))


def _places(folder: Path, text: str, table: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the files that the keys name, as far as these are names at all."""
    for location, name in _names(table):
        if isinstance(name, str) and name.strip():
            try:
                inside(folder, name.strip(), text, location, folder_too=location[0] in ("goals", "files"))
            except WorldFolderError as error:
                yield str(error)


def _names(table: dict[str, Any]) -> Iterator[tuple[Location, object]]:
    load, files = table.get("load"), table.get("files")
    yield from ((("load", index), name) for index, name in enumerate(load if isinstance(load, list) else ()))
    yield from ((("files", str(adapter)), name) for adapter, name in (files if isinstance(files, dict) else {}).items())
    yield from (((key,), table[key]) for key in ("goals", "invariants") if key in table)
