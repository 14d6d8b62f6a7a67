"""A program on a real terminal of 80x24: when it has painted, what it writes, how soon it answers and ends."""

from __future__ import annotations

import os
import re
import select
import time
from pathlib import Path
from statistics import median
from typing import Self

import pexpect

CHECKOUT = Path(__file__).parents[1]
LAST_PAINTED = "Keys"
"""The end of the footer: what the first picture of the screen paints last."""

QUIET_SECONDS = 0.3
"""Nothing more is written because of a key once this has passed without a byte."""

LONGEST_SECONDS = 2.0
"""A program that writes all the time is not waited for any longer."""


class Terminal:
    """A program that has painted `text`."""

    def __init__(self, text: str, *command: str, **environment: str) -> None:
        # Byte code is written, as it is for anyone who starts a program twice.
        settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        settings |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        for name in ("COLORTERM", "NO_COLOR", "TMUX"):
            settings.pop(name, None)
        self._child = pexpect.spawn(
            command[0], list(command[1:]), cwd=str(CHECKOUT), env=settings, dimensions=(24, 80), timeout=60
        )
        self._child.expect_exact(text)
        self.written(1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the program, if it is still there."""
        self._child.close(force=True)

    def written(self, seconds: float) -> int:
        """How many bytes are written within `seconds`."""
        end, count = time.monotonic() + seconds, 0
        while (left := end - time.monotonic()) > 0:
            count += self._read(left)
        return count

    def press(self, keys: bytes, quiet: float = QUIET_SECONDS) -> int:
        """Press keys; return how many bytes are written because of them, until none has come for `quiet` seconds."""
        self._child.send(keys)
        end, count = time.monotonic() + LONGEST_SECONDS, 0
        while time.monotonic() < end and (read := self._read(quiet)) > 0:
            count += read
        return count

    def latency(self, keys: bytes, rounds: int) -> float:
        """The median of seconds from a key to the first byte that it paints."""
        times = []
        for _ in range(rounds):
            started = time.perf_counter()
            os.write(self._child.child_fd, keys)
            self._read(5.0)
            times.append(time.perf_counter() - started)
            self.written(0.05)
        return median(times)

    def press_until(self, keys: bytes, text: str) -> None:
        """Press keys and wait until `text` is painted; ctrl+l has it painted whole, for else only a part may be new."""
        self._child.send(keys)
        while self._child.expect_exact([text, pexpect.TIMEOUT], timeout=0.2):
            self._child.send(b"\x0c")

    def end(self, keys: bytes) -> float:
        """Press keys that end the program; return the seconds until its process is gone."""
        started = time.perf_counter()
        self._child.send(keys)
        self._child.expect(pexpect.EOF)
        self._child.wait()
        seconds = time.perf_counter() - started
        self._child.close(force=True)
        return seconds

    @property
    def resident_mib(self) -> float:
        """The memory of the program's own process."""
        status = Path(f"/proc/{self._child.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    def _read(self, seconds: float) -> int:
        ready, _, _ = select.select([self._child.child_fd], [], [], seconds)
        if not ready:
            return 0
        try:
            return len(os.read(self._child.child_fd, 65536))
        except OSError:
            return 0
