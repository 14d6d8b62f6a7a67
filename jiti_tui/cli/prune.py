"""`jiti-tui prune`: removes all but the newest revisions."""

from __future__ import annotations

import argparse
import json
from contextlib import closing

from jiti_tui.cli.streams import say
from jiti_tui.errors import Exit, StoreError
from jiti_tui.store.presence import require
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Remove them and say how many; the accepted revision always stays."""
    world = read_world(arguments.world, arguments.store)
    require(world.store)
    with closing(Store.open(world.store)) as store:
        current = store.current
        if current is None:
            raise StoreError(f"{world.store} has no revision yet.")
        removed = store.prune(arguments.keep)
        lowest = store.lowest
    if arguments.json:
        say(json.dumps({"removed": removed, "lowest": lowest, "current": current.revision}))
    else:
        revisions = "revision" if removed == 1 else "revisions"
        say(f"Removed {removed} {revisions}; kept are {lowest} to {current.revision}.")
    return Exit.DONE
