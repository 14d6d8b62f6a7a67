"""The standard streams, any of which may be closed at the start, full or read by nobody."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TextIO

from jiti_tui.cli.plain import plain
from jiti_tui.errors import JitiError


class OutputError(JitiError):
    """Standard output takes nothing more."""


def prepare() -> None:
    """Make each standard stream one that can be used, whatever the program was started with.

    In the place of one that is closed comes the empty device: else what is opened later gets its descriptor, and Python
    prints errors on standard output. What standard output's encoding does not have is written as an escape.
    """
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest that is free: the stream's
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print `text` and a newline on standard output, at once.

    Raises BrokenPipeError when its reader has gone, OutputError when it cannot be written.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        _give_up(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise
        raise OutputError(f"Standard output cannot be written: {error.strerror}.") from error


def complain(sentence: str) -> None:
    """Print what went wrong on standard error; what a world or a model has put into it cannot steer a terminal.

    Where nobody reads standard error, the exit code has to do.
    """
    try:
        print(f"jiti-tui: {plain(sentence)}", file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: TextIO) -> None:
    """Write nothing more: what is left in the buffer would be tried again at the end of the program, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), stream.fileno())


def on_terminal(*streams: TextIO) -> bool:
    """Whether all of `streams` are terminals."""
    return all(stream.isatty() for stream in streams)
