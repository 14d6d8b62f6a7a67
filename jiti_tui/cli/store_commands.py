"""The commands about the store, as the command line's parser needs them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Adding(Protocol):
    """Adds a command: its name, the module with its `main`, what it does and what follows it, in a few words each."""

    def __call__(
        self, name: str, module: str, summary: str, *, following: str, world: bool = True
    ) -> argparse.ArgumentParser: ...


def add_store_commands(command: Adding, positive: Callable[[str], int]) -> None:
    """Add them. `positive` reads a whole number above 0."""
    history = command(
        "history",
        "history",
        "list the accepted revisions, newest first",
        following="jiti-tui show WORLD REV tells of one, jiti-tui diff WORLD A B of two",
    )
    history.add_argument("--limit", type=positive, metavar="N", help="the newest N alone")
    show = command(
        "show",
        "show",
        "show a revision: how it came about and what it holds, by name",
        following="jiti-tui diff WORLD A B shows what differs, jiti-tui revert WORLD REV goes back",
    )
    show.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    diff = command(
        "diff",
        "diff",
        "show what differs between two revisions, by name",
        following="jiti-tui revert WORLD REV goes back to one",
    )
    diff.add_argument("before", type=_revision, metavar="A", help="the number of a revision")
    diff.add_argument("after", type=_revision, metavar="B", help="the number of another one")
    revert = command(
        "revert",
        "revert",
        "make the world of an earlier revision the next one, checked as any outcome is",
        following="jiti-tui history WORLD shows the new revision",
    )
    revert.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    export = command(
        "export",
        "export",
        "write a revision as a plain ASDF project that needs no jiti-tui",
        following="load it in SBCL, as the last line says",
    )
    export.add_argument("revision", type=_revision, metavar="REV", help="the number of a revision")
    export.add_argument("directory", type=Path, metavar="DIR", help="a directory that is not there yet, or is empty")
    prune = command(
        "prune",
        "prune",
        "remove all but the newest revisions",
        following="jiti-tui history WORLD shows what is left",
    )
    prune.add_argument("--keep", type=positive, required=True, metavar="N", help="how many stay")
    recover = command(
        "recover",
        "recover",
        "recover the store, or move a damaged one to an intact revision",
        following="jiti-tui verify WORLD says whether all is well",
    )
    recover.add_argument("--to", type=_revision, metavar="N", help="make the intact revision N the accepted one")
    replay = command(
        "replay",
        "replay",
        "make every revision again from its evidence, and say whether it is the same",
        following="jiti-tui show WORLD REV tells how a revision came about",
    )
    drill = command(
        "drill",
        "drill",
        "break stores in a directory on purpose, and say what survives",
        following="jiti-tui verify WORLD checks a store of yours",
        world=False,
    )
    drill.add_argument("directory", type=Path, metavar="DIR", help="on the file system to try; nothing of it stays")
    drill.add_argument("--seconds", type=positive, default=60, metavar="N", help="how long at most, about (60)")
    for parser in (history, show, diff, revert, export, prune, recover, replay, drill):
        parser.add_argument("--json", action="store_true", help="print JSON, a line for each thing")
    command(
        "verify",
        "verify",
        "check every file of the store, and the accepted revision in a fresh process",
        following="jiti-tui recover WORLD, where something is damaged",
    )


def _revision(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a revision")
    return int(text)
