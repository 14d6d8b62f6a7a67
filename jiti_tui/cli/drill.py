"""`jiti-tui drill`: breaks stores on the user's own file system on purpose, and prints what survived."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from jiti_tui.cli.streams import complain, say
from jiti_tui.errors import Exit, UsageError
from jiti_tui.store.drill.drill import Row, drill
from jiti_tui.store.failures import telling

_LINE = "{:<42} {:<26} {:>9} {:>9} {:>6}"


def main(arguments: argparse.Namespace) -> int:
    """Print a row for each fault and each thing that a store does. 3 when anything was lost."""
    parent: Path = arguments.directory
    if not os.path.isdir(parent):  # noqa: PTH112 - Path.is_dir raises for names that are too long
        raise UsageError(f"{parent} is no directory. Give one on the file system where a store is to live.")
    ended = Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.set())
    with telling(_failure(parent)):
        folder = Path(tempfile.mkdtemp(prefix=".jiti-drill-", dir=parent))
    try:
        rows = _drilled(parent, folder, arguments.seconds, ended, as_json=arguments.json)
    finally:
        shutil.rmtree(folder)
    if ended.is_set():
        return Exit.INTERRUPTED
    lost = [sentence for row in rows for sentence in row.lost]
    if not arguments.json:
        injected = sum(row.injected for row in rows)
        say(_LINE.format("in all", "", injected, injected - len(lost), len(lost)))
        if not all(row.whole for row in rows):
            complain("Not every operation was struck. --seconds gives more time.")
    for sentence in lost:
        complain(sentence)
    return Exit.WORKER if lost else Exit.DONE


def _drilled(parent: Path, folder: Path, seconds: int, ended: Event, *, as_json: bool) -> list[Row]:
    if not as_json:
        say(_LINE.format("fault", "while the store does", "injected", "survived", "lost"))
    rows = []
    for row in _struck(parent, folder, seconds, ended):
        rows.append(row)
        say(_json(row) if as_json else _LINE.format(row.mishap, row.act, row.injected, row.survived, len(row.lost)))
    return rows


def _struck(parent: Path, folder: Path, seconds: int, ended: Event) -> Iterator[Row]:
    """Each row as it is known. What printing it meets is not the directory's failure."""
    with telling(_failure(parent)):
        yield from drill(folder, seconds=seconds, ended=ended.is_set)


def _failure(parent: Path) -> str:
    return f"{parent} cannot be drilled in"


def _json(row: Row) -> str:
    return json.dumps(
        {
            "fault": row.mishap,
            "act": row.act,
            "injected": row.injected,
            "survived": row.survived,
            "lost": list(row.lost),
            "whole": row.whole,
        }
    )
