"""File layers for the store that fail on purpose: under them runs the real code, on the real disk."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.store.files import Files, Handle


class QuickFiles(Files):
    """Waits for no disk: what is simulated needs none, and no killed process loses what it has written."""

    def flush(self, handle: Handle) -> None:
        pass


class SteppingFiles(QuickFiles):
    """Numbers the operations that change something, and writes them down in `seen`, as words and file names.

    With `looking`, those that only look count, too. `take` decides what becomes of each; a subclass lets number `at` go
    wrong.
    """

    def __init__(self, at: int | None = None, *, looking: bool = False) -> None:
        super().__init__()
        self.at = at
        self.looking = looking
        self.steps = 0
        self.seen: list[str] = []
        self._counting = threading.Lock()

    def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
        return getattr(QuickFiles, operation)(self, *arguments)


def paths(arguments: tuple[Any, ...]) -> list[Path]:
    """The paths among the arguments of an operation, those of open files included."""
    named = (getattr(argument, "path", argument) for argument in arguments)
    return [path for path in named if isinstance(path, Path)]


CHANGING = [
    "make_directory",
    "create",
    "open_shared",
    "write",
    "truncate",
    "flush",
    "close",
    "rename",
    "link",
    "remove",
    "remove_directory",
    "lock",
]
LOOKING = ["open_directory", "size", "list", "is_directory", "is_file", "exists", "length", "read"]


def _numbered(operation: str) -> Callable[..., Any]:
    def method(self: SteppingFiles, *arguments: Any) -> Any:
        if operation in LOOKING and not self.looking:
            return getattr(QuickFiles, operation)(self, *arguments)
        with self._counting:
            self.steps += 1
            number = self.steps
            self.seen.append(" ".join([operation, *(path.name for path in paths(arguments))]))
        return self.take(number, operation, arguments)

    return method


for _operation in CHANGING + LOOKING:
    setattr(SteppingFiles, _operation, _numbered(_operation))


class KilledFiles(SteppingFiles):
    """Kills its own process at operation `at`."""

    def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
        if number == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().take(number, operation, arguments)


class FaultyFiles(SteppingFiles):
    """Lets operation `at` fail with `errno`: undone, a write half done, or, with `done`, carried out all the same.

    With `lasting`, everything after it fails too. `failed` tells what failed, as operation and file name.
    """

    def __init__(self, errno: int, *, done: bool = False, lasting: bool = False, looking: bool = False) -> None:
        super().__init__(looking=looking)
        self.errno = errno
        self.done = done
        self.lasting = lasting
        self.failed: list[tuple[str, str]] = []

    def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
        if self.at is None or number < self.at or (number > self.at and not self.lasting):
            return super().take(number, operation, arguments)
        path = paths(arguments)[0]
        if self.done or operation == "close":
            # A close that fails has closed.
            super().take(number, operation, arguments)
        elif operation == "write":
            super().take(number, operation, (arguments[0], arguments[1][: len(arguments[1]) // 2]))
        self.failed.append((operation, path.name))
        raise OSError(self.errno, os.strerror(self.errno), str(path))
