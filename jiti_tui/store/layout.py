"""The names of things in a store, and the pointer to the accepted revision."""

from __future__ import annotations

import re
from pathlib import Path

from jiti_tui.errors import StoreDamaged
from jiti_tui.store.files import Files

CURRENT = "CURRENT"
NEXT = "CURRENT.tmp"
MANIFEST = "manifest.sexp"
DEFINITIONS = "world.lisp"
DATA = "data.sexp"
LOG = "events.sexp"
LOCK = "lock"
ARCHIVE = "archive"

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


def pointer(number: int) -> bytes:
    """The exact content of CURRENT."""
    return f"{revision_name(number)}\n".encode()


def read_pointer(files: Files, root: Path) -> int | None:
    """The accepted revision; None in a store that has none yet.

    Raises StoreDamaged when CURRENT is anything but `revision-N` and a newline, or is missing though a revision above 0
    exists.
    """
    path = root / CURRENT
    if not files.exists(path):
        if any(revision_numbers(files, root)):
            raise StoreDamaged(f"{path} is missing, though the store has revisions.")
        return None
    try:
        content = files.read(path, 64)
    except OSError as error:
        raise StoreDamaged(f"{path} does not read: {error.strerror}.") from error
    number = revision_number(content[:-1].decode("ascii", "replace"))
    if number is None or content != pointer(number):
        raise StoreDamaged(f"{path} is damaged: it must be `revision-N` and a newline, and is {content!r}.")
    return number
