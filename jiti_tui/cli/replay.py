"""`jiti-tui replay`: makes every revision again from its evidence. Works beside a session."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import say
from jiti_tui.engine.records.replay import Replayed, replay
from jiti_tui.errors import Exit
from jiti_tui.store.presence import require
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print a line for each revision. 3 when one that can be made again is not the same."""
    world = read_world(arguments.world, arguments.store)
    require(world.store)
    same = True
    with tempfile.TemporaryDirectory(prefix="jiti-replay-") as folder:
        for replayed in replay(world, Path(folder)):
            same = same and (not replayed.reason or replayed.pruned)
            say(_json(replayed) if arguments.json else _line(replayed))
    return Exit.DONE if same else Exit.WORKER


def _json(replayed: Replayed) -> str:
    same = None if replayed.pruned else not replayed.reason
    fields = {"revision": replayed.revision, "id": replayed.id, "same": same, "reason": replayed.reason}
    return json.dumps(fields)


def _line(replayed: Replayed) -> str:
    said = "cannot be made again" if replayed.pruned else "differs" if replayed.reason else "the same"
    reason = f"  {one_line(replayed.reason, 400)}" if replayed.reason else ""
    return f"{replayed.revision:>5}  {replayed.id[:12]}  {said}{reason}"
