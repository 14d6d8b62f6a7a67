"""`jiti-tui export`: a revision as a plain ASDF project. Works beside a session."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from jiti_tui.cli.streams import say
from jiti_tui.engine.plain_project import plain_project, system_name
from jiti_tui.errors import Exit, JitiError, UsageError
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


class ExportError(JitiError):
    """The project cannot be written."""


def main(arguments: argparse.Namespace) -> int:
    """Write the project into a directory that is not there yet, or empty."""
    directory: Path = arguments.directory
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UsageError(f"{directory} is there and not empty. Give a directory that is new.")
    world = read_world(arguments.world, arguments.store)
    revision = Store.open(world.store, read_only=True).read(arguments.revision)
    project = asyncio.run(plain_project(world, revision))
    try:
        for name, content in project.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise ExportError(f"The project cannot be written: {error.strerror} ({error.filename}).") from error
    system = system_name(world)
    if arguments.json:
        say(json.dumps({"revision": arguments.revision, "system": system, "files": sorted(project)}))
    else:
        say(f'Wrote {directory}/{system}.asd and what it needs. In SBCL: (asdf:test-system "{system}")')
    return Exit.DONE
