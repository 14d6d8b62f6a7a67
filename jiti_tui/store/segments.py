"""The files of the log: `events.sexp`, which is appended to, and the older segments `events-N.sexp`, counted from 1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jiti_tui.store.files import Files
from jiti_tui.store.layout import LOG
from jiti_tui.store.log import Reading, read_log

_SEGMENT = re.compile(r"events-([1-9][0-9]{0,17})\.sexp")


def segment_name(number: int) -> str:
    """The file of an older segment."""
    return f"events-{number}.sexp"


def segment_number(name: str) -> int | None:
    """The number of the older segment that the file `name` holds, None when it is no such name."""
    match = _SEGMENT.fullmatch(name)
    return int(match[1]) if match else None


def segment_numbers(files: Files, root: Path) -> list[int]:
    """The numbers of the older segments that are there, lowest first."""
    if not files.exists(root):
        return []
    found = (segment_number(name) for name in files.list(root))
    return sorted(number for number in found if number is not None)


class LogReader:
    """Reads the log of the store in `root`, newest first and no further than it is asked.

    `last` is what `events.sexp` holds. It works beside a session, which may rotate the log meanwhile. Raises OSError.
    """

    def __init__(self, files: Files, root: Path) -> None:
        self._files = files
        self._root = root
        self._content = _content(files, root / LOG)
        self.last = read_log(self._content)

    def newest_first(self) -> Iterator[dict[str, Any]]:
        """The records of all segments, decoded one by one; lines that do not decode are passed over."""
        yield from self.last.newest_first()
        for _, reading in self.older():
            yield from reading.newest_first()

    def older(self) -> Iterator[tuple[str, Reading]]:
        """The names of the older segments and what they hold, newest first."""
        for number in reversed(segment_numbers(self._files, self._root)):
            content = _content(self._files, self._root / segment_name(number))
            # Rotated since `events.sexp` was read, or a rename of which a crash has left both names.
            if self._content and content.startswith(self._content):
                continue
            yield segment_name(number), read_log(content)


def _content(files: Files, path: Path) -> bytes:
    """The content of a file that may be missing, or go while we look."""
    try:
        return files.read(path) if files.exists(path) else b""
    except FileNotFoundError:
        return b""
