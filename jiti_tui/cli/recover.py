"""`jiti-tui recover`: recovers a store, or moves a damaged one to an intact revision."""

from __future__ import annotations

import argparse
import asyncio
import json
from contextlib import closing
from pathlib import Path

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import complain, say
from jiti_tui.engine.queries.standalone import verify_revision
from jiti_tui.errors import Exit, StoreDamaged, StoreError, StoreFormat
from jiti_tui.store.moving import intact_revisions, move_to, read_intact, sentence_of_intact
from jiti_tui.store.presence import require
from jiti_tui.store.store import Store
from jiti_tui.world.folder import World, read_world


def main(arguments: argparse.Namespace) -> int:
    """Say what was done. 3 when the store is damaged and no revision to move to was given, or it cannot be moved to."""
    world = read_world(arguments.world, arguments.store)
    require(world.store)
    if arguments.to is None:
        return _recover(world.store, as_json=arguments.json)
    return _move(world, arguments.to, as_json=arguments.json)


def _recover(directory: Path, *, as_json: bool) -> int:
    try:
        with closing(Store.open(directory)) as store:
            current, done = store.current, store.recovery.done
            if current is not None:
                store.read(current.revision)
    except StoreFormat:
        raise
    except StoreDamaged as error:
        intact = list(intact_revisions(directory))
        if as_json:
            say(json.dumps({"damaged": error.fact, "intact": [item.manifest.revision for item in intact]}))
        complain(f"{error.fact} {sentence_of_intact(iter(intact))}")
        return Exit.WORKER
    number = current.revision if current else None
    if as_json:
        say(json.dumps({"revision": number, "done": list(done)}))
        return Exit.DONE
    for sentence in done:
        say(one_line(sentence, 400))
    state = "There is no revision yet." if number is None else f"Revision {number} is the accepted one, and whole."
    say(state if done else f"Nothing was to be done. {state}")
    return Exit.DONE


def _move(world: World, number: int, *, as_json: bool) -> int:
    revision = read_intact(world.store, number)
    verified = asyncio.run(verify_revision(world, revision))
    wrong = [*verified.damage, *filter(None, [verified.broken])]
    if wrong:
        raise StoreError(f"Nothing was moved. {' '.join(one_line(sentence, 400) for sentence in wrong)}")
    archived = move_to(world.store, number)
    if as_json:
        say(json.dumps({"revision": number, "archived": list(archived)}))
    else:
        say(f"Revision {number} is the accepted one. Moved to archive/: {', '.join(archived) or 'nothing'}.")
    return Exit.DONE
