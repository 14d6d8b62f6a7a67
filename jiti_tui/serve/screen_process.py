"""A screen in a process of its own, with pipes in the place of a terminal.

Textual's web driver frames what goes through them: a letter, the payload's size in four bytes, the payload. In `D` is
what a terminal would read or write, in `M` a JSON object, such as the new size of the terminal.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence

from jiti_tui.errors import Exit

LONGEST_END = 12.0
"""Seconds that a screen has to end its session before it is killed; it gives its engine ten of them."""

_PRELUDE = b"__GANGLION__\n"
_HEAD = struct.Struct(">cI")
_DATA, _META = b"D", b"M"
_MOST_ERROR_BYTES = 65536
_ORDERLY = (Exit.DONE, Exit.INTERRUPTED)


class ScreenProcess:
    """Made by `start`. Whoever made it must call `end`, even after the process has ended by itself."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._input, self._output, self._errors = process.stdin, process.stdout, process.stderr
        self._told = b""
        self._hearing = asyncio.create_task(self._hear(), name="hear what a screen says when it ends")

    @classmethod
    async def start(cls, command: Sequence[str], width: int, height: int) -> ScreenProcess:
        """Run `command` for a terminal of `width` x `height` cells. Raises OSError when it cannot be run."""
        environment = {**os.environ, "COLUMNS": str(width), "ROWS": str(height)}
        # A session of its own: what a terminal sends to the server's group is the server's business.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        return cls(process)

    async def pictures(self) -> AsyncIterator[bytes]:
        """What it writes to its terminal, until it ends."""
        try:
            await self._output.readuntil(_PRELUDE)
            while True:
                kind, size = _HEAD.unpack(await self._output.readexactly(_HEAD.size))
                payload = await self._output.readexactly(size)
                if kind == _DATA:
                    yield payload
        except asyncio.IncompleteReadError:
            return

    async def type(self, text: str) -> None:
        """Let it read `text`. An empty one is not sent: Textual's parser takes that for the end of input."""
        if text:
            await self._send(_DATA, text.encode("utf-8", "replace"))

    async def resize(self, width: int, height: int) -> None:
        """Tell it the size of its terminal, in cells."""
        await self._send(_META, json.dumps({"type": "resize", "width": width, "height": height}).encode())

    async def end(self) -> str:
        """Take its terminal away and wait until it has ended; return what it said of that, "" if all is well."""
        self._input.close()
        # It still writes while it ends, and would wait for ever if nobody read that.
        draining = asyncio.create_task(self._drain(), name="drain a screen")
        try:
            async with asyncio.timeout(LONGEST_END):
                await self._process.wait()
                await self._hearing
        except TimeoutError:
            if self._process.returncode is None:
                self._process.kill()
                await self._process.wait()
        finally:
            draining.cancel()
            self._hearing.cancel()
        code = self._process.returncode
        unsaid = "" if code in _ORDERLY else f"The screen's process ended with the code {code}."
        return _sentence(self._told.decode("utf-8", "replace")) or unsaid

    async def _send(self, kind: bytes, payload: bytes) -> None:
        try:
            self._input.write(_HEAD.pack(kind, len(payload)) + payload)
            await self._input.drain()
        except (ConnectionError, RuntimeError):
            return  # it has ended, which its pictures tell

    async def _hear(self) -> None:
        while text := await self._errors.read(_MOST_ERROR_BYTES):
            self._told = (self._told + text)[-_MOST_ERROR_BYTES:]

    async def _drain(self) -> None:
        while await self._output.read(_MOST_ERROR_BYTES):
            pass


def _sentence(told: str) -> str:
    """Return what a command has said on standard error, in one line; of a traceback the last line alone."""
    before, marked, sentence = told.partition("jiti-tui: ")
    lines = sentence if marked and not before else told.strip().rpartition("\n")[2]
    return " ".join("".join(each if each.isprintable() else " " for each in lines).split())
