"""The standard streams, any of which may be closed, full or read by nobody."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from jiti_tui.errors import JitiError


class OutputError(JitiError):
    """Standard output takes nothing more."""


def say(text: str) -> None:
    """Print `text` and a newline on standard output, at once.

    Raises BrokenPipeError when its reader has gone, OutputError when it cannot be written.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        # What is left in the buffer would be written again at the end of the program, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise OutputError(f"Standard output cannot be written: {error.strerror}.") from error


def on_terminal(*streams: TextIO | None) -> bool:
    """Whether all of `streams` are terminals; one that is closed is None, and is none."""
    return all(stream is not None and stream.isatty() for stream in streams)
