"""CURRENT, the pointer to the accepted revision, and what else in the store can speak against it."""

from __future__ import annotations

from pathlib import Path

from jiti_tui.errors import StoreDamaged
from jiti_tui.store.files import Files
from jiti_tui.store.layout import CURRENT, revision_name, revision_number, revision_numbers
from jiti_tui.store.segments import LogReader


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


def examine(files: Files, root: Path) -> tuple[int | None, LogReader]:
    """The accepted revision, as `read_pointer` says, and the log.

    Raises StoreDamaged when they, or the revisions that are there, contradict each other. It works beside a session.
    """
    # The pointer last: a session beside us moves it before it writes the log.
    log = LogReader(files, root)
    numbers = revision_numbers(files, root)
    current = read_pointer(files, root)
    found = contradiction(current, numbers, log)
    if found is not None:
        raise StoreDamaged(f"{root / CURRENT} {found}.")
    return current, log


_TELLING = {
    "published": "accepted after it",
    "accepted": "accepted after it",
    "rotated": "accepted after it",
    "recover": "moved to",
}


def contradiction(current: int | None, numbers: list[int], log: LogReader) -> str | None:
    """What speaks against `current` being the last revision that was published, None when nothing does.

    A published revision is logged after it is on disk, and only one revision above the accepted one is ever begun,
    unless the operator moved to an earlier one, which the log tells by a record `recover`.
    """
    following = 0 if current is None else current + 1
    for record in log.newest_first():
        event, revision = record.get("event"), record.get("revision")
        if event not in _TELLING or not isinstance(revision, int):
            continue
        if revision >= following:
            return f"names {_name(current)}, and the log tells that revision {revision} was {_TELLING[event]}"
        if event == "recover":
            return None
        break
    if numbers and numbers[-1] > following:
        return f"names {_name(current)}, and {revision_name(numbers[-1])} can only have been begun on a later one"
    return None


def _name(current: int | None) -> str:
    return "nothing" if current is None else revision_name(current)
