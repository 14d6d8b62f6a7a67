"""`jiti-tui verify`: every file of the store, and the accepted revision in a fresh process. Works beside a session."""

from __future__ import annotations

import argparse
import asyncio
import shlex

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import complain, say
from jiti_tui.engine.queries.standalone import verify
from jiti_tui.errors import Exit
from jiti_tui.store.presence import require
from jiti_tui.store.verify import verify_store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print what was found; 3 when there is damage, else 0."""
    world = read_world(arguments.world, arguments.store)
    require(world.store)
    findings = [one_line(str(finding), 400) for finding in verify_store(world.store)]
    broken = ""
    if not findings:
        verified = asyncio.run(verify(world))
        findings, broken = [one_line(finding, 400) for finding in verified.damage], one_line(verified.broken, 400)
    for finding in findings:
        complain(finding)
    if findings:
        elsewhere = "" if arguments.store is None else f" --store {shlex.quote(str(arguments.store))}"
        recover = f"jiti-tui recover {shlex.quote(str(arguments.world))}{elsewhere}"
        complain(f"What is intact: {recover}")
        return Exit.WORKER
    if broken:
        complain(f"{broken}. That is no damage: the invariant is newer than the revision.")
    does = "imports and exports" if broken else "imports, exports and checks"
    say(f"The store is whole, and the accepted revision {does} as it should.")
    return Exit.DONE
