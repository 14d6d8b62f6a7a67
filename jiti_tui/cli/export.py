"""`jiti-tui export`: a revision as a plain ASDF project. Works beside a session."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from jiti_tui.cli.streams import say
from jiti_tui.engine.records.plain_project import system_name, write_project
from jiti_tui.errors import Exit
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Write the project into a directory that is not there yet, or empty."""
    directory: Path = arguments.directory
    world = read_world(arguments.world, arguments.store)
    revision = Store.open(world.store, read_only=True).read(arguments.revision)
    files = asyncio.run(write_project(world, revision, directory))
    system = system_name(world)
    if arguments.json:
        say(json.dumps({"revision": arguments.revision, "system": system, "files": files}))
    else:
        definition = str((directory / f"{system}.asd").absolute())
        say(f"Wrote {definition} and what it needs. In SBCL:")
        say(f'(require "asdf") (asdf:load-asd {_lisp(definition)}) (asdf:test-system "{system}")')
    return Exit.DONE


def _lisp(path: str) -> str:
    """A form for the pathname: a string, save where Lisp would find wild parts in that."""
    text = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'(sb-ext:parse-native-namestring "{text}")' if set(path) & set("*?[\\") else f'"{text}"'
