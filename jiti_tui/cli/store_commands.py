"""The commands about the store, as the command line's parser needs them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Adding(Protocol):
    """Adds a command: its name, the module with its `main`, and what it does in a few words."""

    def __call__(self, name: str, module: str, summary: str, *, world: bool = True) -> argparse.ArgumentParser: ...


def add_store_commands(command: Adding, positive: Callable[[str], int]) -> None:
    """Add them. `positive` reads a whole number above 0."""
    history = command("history", "history", "list the accepted revisions, newest first")
    history.add_argument("--limit", type=positive, metavar="N", help="the newest N alone")
    show = command("show", "show", "show a revision: how it came about and what it holds, by name")
    show.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    diff = command("diff", "diff", "show what differs between two revisions, by name")
    diff.add_argument("before", type=_revision, metavar="A", help="the number of a revision")
    diff.add_argument("after", type=_revision, metavar="B", help="the number of another one")
    revert = command(
        "revert", "revert", "make the world of an earlier revision the next one, checked as any outcome is"
    )
    revert.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    export = command("export", "export", "write a revision as a plain ASDF project that needs no jiti-tui")
    export.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    export.add_argument("directory", type=Path, metavar="DIR", help="a directory that is not there yet, or is empty")
    prune = command("prune", "prune", "remove all but the newest revisions")
    prune.add_argument("--keep", type=positive, required=True, metavar="N", help="how many stay")
    recover = command("recover", "recover", "recover the store, or move a damaged one to an intact revision")
    recover.add_argument("--to", type=_revision, metavar="N", help="make the intact revision N the accepted one")
    replay = command("replay", "replay", "make every revision again from its evidence, and say whether it is the same")
    drill = command("drill", "drill", "break stores in a directory on purpose, and say what survives", world=False)
    drill.add_argument("directory", type=Path, metavar="DIR", help="where; everything is removed afterwards")
    drill.add_argument("--seconds", type=positive, default=60, metavar="N", help="how long at most, about (60)")
    for parser in (history, show, diff, revert, export, prune, recover, replay, drill):
        parser.add_argument("--json", action="store_true", help="print JSON, a line for each thing")
    command("verify", "verify", "check every file of the store, and the accepted revision in a fresh process")


def _revision(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a revision")
    return int(text)
