"""The names of things in a store."""

from __future__ import annotations

import re
from pathlib import Path

from jiti_tui.store.files import Files

CURRENT = "CURRENT"
NEXT = "CURRENT.tmp"
MANIFEST = "manifest.sexp"
DEFINITIONS = "world.lisp"
DATA = "data.sexp"
FILES = "files"
"""The folder of the world's files, each below the name of its adapter."""
BLOCKS = "data"
"""The folder of the blocks of a large data table, each `NAME.sexp`."""
LOG = "events.sexp"
LOCK = "lock"
ARCHIVE = "archive"
PRUNED = "pruned.sexp"
PRUNED_NEXT = "pruned.tmp"
MIGRATING = "migrating"
"""What a migration makes before it changes anything."""

_BLOCK = re.compile(rf"{BLOCKS}/([0-9a-f]{{16}})\.sexp")
_REVISION = re.compile(r"revision-(0|[1-9][0-9]{0,17})")


def revision_name(number: int) -> str:
    """The directory of a revision."""
    return f"revision-{number}"


def revision_number(name: str) -> int | None:
    """The number of the revision that the directory `name` holds, None when it is no such name."""
    match = _REVISION.fullmatch(name)
    return int(match[1]) if match else None


def revision_numbers(files: Files, root: Path) -> list[int]:
    """The numbers of all revision directories in the store, lowest first; none where there is no store."""
    if not files.exists(root):
        return []
    found = (revision_number(name) for name in files.list(root))
    return sorted(number for number in found if number is not None)


def block_file(name: str) -> str:
    """The file of a block of data, in the directory of its revision."""
    return f"{BLOCKS}/{name}.sexp"


def block_name(file: str) -> str | None:
    """The block that a `file` of a revision holds, None when it holds none."""
    match = _BLOCK.fullmatch(file)
    return match[1] if match else None
