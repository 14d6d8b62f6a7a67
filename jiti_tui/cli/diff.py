"""`jiti-tui diff`: what differs between two revisions, by name. Works beside a session."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterator

from jiti_tui.cli.held import held
from jiti_tui.cli.plain import one_line, plain
from jiti_tui.cli.streams import say
from jiti_tui.engine.changes import block_changes
from jiti_tui.engine.interface.snapshot import Change
from jiti_tui.engine.queries.contents import changes_between
from jiti_tui.errors import Exit
from jiti_tui.store.history import Revision
from jiti_tui.store.layout import block_name
from jiti_tui.store.manifest import FileEntry
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print the differences, nothing where there are none. Raises StoreError as `show` does."""
    world = read_world(arguments.world, arguments.store)
    store = Store.open(world.store, read_only=True)
    before, after = store.read(arguments.before), store.read(arguments.after)
    changes = changes_between(*held(world, [before, after]))
    # Of a very large table not every entry is told by name; that something differs is always said.
    if not any(change.kind == "data" for change in changes):
        changes += block_changes(_blocks(before), _blocks(after))
    if arguments.json:
        fields = [
            {"sign": str(item.sign), "kind": item.kind, "name": item.name, "before": item.before, "after": item.after}
            for item in changes
        ]
        say(json.dumps({"before": arguments.before, "after": arguments.after, "changes": fields}))
        return Exit.DONE
    for change in changes:
        for line in _lines(change):
            say(line)
    return Exit.DONE


def _blocks(revision: Revision) -> dict[str, FileEntry]:
    named = ((block_name(entry.name), entry) for entry in revision.manifest.files)
    return {name: entry for name, entry in named if name is not None}


def _lines(change: Change) -> Iterator[str]:
    yield f"{change.sign} {one_line(change.kind)} {one_line(change.name)}"
    before, after = plain(change.before).splitlines(), plain(change.after).splitlines()
    # The two lines that would name the files say nothing here.
    yield from (f"    {line}" for line in list(difflib.unified_diff(before, after, lineterm=""))[2:])
