"""The questions of `run --accept ask`, and the line that is typed in answer."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

from jiti_tui.frozen import frozen

_MOST_BYTES = 4096


@frozen
class Typed:
    """A line that was typed; the end of input is an empty one, without even a newline."""

    text: str

    @property
    def consents(self) -> bool | None:
        """Yes or no; None when it is neither."""
        if not self.text:
            return False
        return {"y": True, "yes": True, "n": False, "no": False}.get(self.text.strip().lower())


class Question:
    """Asks at the terminal. A thread of its own reads: neither a signal nor the session waits for a line."""

    def __init__(self, put: Callable[[Typed], None]) -> None:
        self._put = put
        self._reader: threading.Thread | None = None

    def ask(self, question: str) -> None:
        """Ask; the answer comes as `Typed`. One line is read, however often it was asked for meanwhile."""
        print(f"{question} [y/n] ", end="", file=sys.stderr, flush=True)
        if self._reader is None or not self._reader.is_alive():
            self._reader = threading.Thread(target=self._read, name="read an answer", daemon=True)
            self._reader.start()

    def _read(self) -> None:
        try:
            # Not sys.stdin: a thread that waits there keeps the interpreter from ending.
            line = os.read(sys.stdin.fileno(), _MOST_BYTES)
        except OSError:
            line = b""
        self._put(Typed(line.decode(errors="replace")))
