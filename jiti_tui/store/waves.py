"""Writing many files and folders and flushing them, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from jiti_tui.store.files import Files, Handle

WAVE = 64
"""Open files at a time: each is flushed in a thread of its own."""


def new_file(files: Files, path: Path, content: bytes) -> Handle:
    """Make the file `path` with `content`, open, to be flushed and closed. Raises OSError, and then holds nothing."""
    with ExitStack() as failed:
        handle = files.create(path)
        failed.callback(files.close, handle)
        files.write(handle, content)
        failed.pop_all()
    return handle


def flush_in_waves(files: Files, places: Iterable[Path], opened: Callable[[Path], Handle | None]) -> None:
    """Flush and close what `opened` gives for each of `places`, None where nothing is to be flushed.

    Raises OSError when the first wave that fails has ended.
    """
    left = iter(places)
    while wave := list(islice(left, WAVE)):
        with ExitStack() as written:
            handles = []
            for place in wave:
                handle = opened(place)
                if handle is not None:
                    written.callback(files.close, handle)
                    handles.append(handle)
            if handles:
                files.flush_together(*handles)
