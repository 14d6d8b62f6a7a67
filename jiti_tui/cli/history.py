"""`jiti-tui history`: the accepted revisions, newest first. Works beside a session."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import say
from jiti_tui.engine.interface.history import revision_rows
from jiti_tui.engine.interface.snapshot import RevisionRow
from jiti_tui.errors import Exit
from jiti_tui.store.presence import is_there
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print one line for each revision. A world that has never been opened has none, and nothing is printed."""
    world = read_world(arguments.world, arguments.store)
    if not is_there(world.store):
        return Exit.DONE
    store = Store.open(world.store, read_only=True)
    current = store.current
    rows = revision_rows(store.history(arguments.limit), current.revision if current else -1)
    for row in rows:
        say(_json(row) if arguments.json else _line(row))
    lowest = store.lowest
    if lowest and rows and rows[-1].number == lowest:
        say(json.dumps({"pruned": [0, lowest - 1]}) if arguments.json else _pruned(lowest))
    return Exit.DONE


def _pruned(lowest: int) -> str:
    return "    0  pruned" if lowest == 1 else f"    0 to {lowest - 1}  pruned"


def _json(row: RevisionRow) -> str:
    fields = {
        "revision": row.number,
        "parent": row.parent,
        "generation": row.generation,
        "time": _stamp(row.time),
        "summary": row.summary,
        "request": row.request,
        "origin": row.origin,
        "goals_met": row.goals[0],
        "goals": row.goals[1],
        "current": row.live,
    }
    return json.dumps(fields)


def _line(row: RevisionRow) -> str:
    met, total = row.goals
    mark = "live" if row.live else "    "
    who, what = one_line(row.origin, 24), one_line(row.summary, 80)
    return f"{row.number:>5}  {mark}  {_stamp(row.time)}  {met}/{total} goals  {who:<24}  {what}"


def _stamp(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
