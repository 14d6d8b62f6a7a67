"""A program on a terminal, watched as its operator would: by what is on the screen."""

from __future__ import annotations

import codecs
import re
import time
from typing import Any

import pexpect
from fakes.emulator import TOKEN, Emulator

SECONDS = 20


class Watched:
    """`child` runs on a terminal of that size, from which nobody else reads."""

    def __init__(self, child: Any, width: int = 80, height: int = 24) -> None:
        self.child = child
        self.output = b""
        self._seen = 0
        self._emulator = Emulator(width, height, bce=True)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""

    @property
    def screen(self) -> str:
        """What the screen shows, row by row."""
        return "\n".join("".join(text for text, _ in row) for row in self._emulator.rows)

    def wait(self, *texts: str) -> str:
        """Return the screen once it shows all of `texts`."""
        self._until(lambda: all(text in self.screen for text in texts), f"no {texts}")
        return self.screen

    def sees(self, pattern: bytes) -> re.Match[bytes]:
        """Return the match of `pattern` in what is written, after what was found so before."""
        self._until(lambda: re.search(pattern, self.output[self._seen :]) is not None, f"no {pattern!r}")
        found = re.compile(pattern).search(self.output, self._seen)
        assert found is not None
        self._seen = found.end()
        return found

    def quiet(self, seconds: float = 0.25) -> bytes:
        """Return what is written until nothing has come for `seconds`."""
        before = len(self.output)
        while self._read(seconds):
            pass
        return self.output[before:]

    def press(self, keys: bytes) -> bytes:
        """Press keys; return what is written because of them."""
        self.child.send(keys)
        return self.quiet()

    def _until(self, holds: Any, failure: str) -> None:
        end = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < end, f"{failure} in:\n{self.screen}\n{self.output[-500:]!r}"
            self._read(0.1)

    def _read(self, seconds: float) -> bool:
        try:
            written: bytes = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.output += written
        text = self._rest + self._decoder.decode(written)
        begun = text.rfind("\x1b")  # of a sequence that may be cut between two reads
        whole = begun < 0 or TOKEN.match(text, begun) is not None
        text, self._rest = (text, "") if whole else (text[:begun], text[begun:])
        self._emulator.feed(text)
        return True
