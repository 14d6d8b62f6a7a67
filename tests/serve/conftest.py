"""`jiti-tui serve` as its users start it, and clients that are no browsers."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

SECONDS = 30
"""How long a test waits for what must come."""

READ_SECONDS = 0.35
"""A stage that has stood this long has been read; keys that decide sooner are dropped by design."""

_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=$]*[a-zA-Z]|\x1b\][^\x07]*\x07")

Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs, and the address that it has printed."""

    process: subprocess.Popen[str]
    address: str

    @property
    def origin(self) -> str:
        return f"http://{urlsplit(self.address).netloc}"

    @property
    def token(self) -> str:
        return urlsplit(self.address).path.strip("/")

    def ended(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code, and what was said on standard error."""
        self.process.send_signal(number)
        _, told = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, told


Serve = Callable[..., Served]


@pytest.fixture
def serve(environment: dict[str, str], family: Family, wait_gone: WaitGone) -> Iterator[Serve]:
    """`serve(world, ...)` runs `jiti-tui serve` until the test has ended; no process outlives it."""
    running: list[Served] = []

    def start(*arguments: str | Path) -> Served:
        process = subprocess.Popen(
            [sys.executable, "-m", "jiti_tui", "serve", *map(str, arguments)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, process.communicate()[1]
        running.append(Served(process, address))
        return running[-1]

    yield start
    for each in running:
        pids = family(each.process.pid)
        if each.process.poll() is None:
            each.ended(signal.SIGTERM)
        each.process.communicate()
        wait_gone(pids)


class Screen:
    """A screen as its bytes come through a websocket, at 80x24."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._seen = ""

    async def wait(self, *texts: str) -> str:
        """Return what has been painted since the last key, once all of `texts` are in it."""
        await self._until(lambda: all(text in self._seen for text in texts), texts)
        return self._seen

    async def either(self, *texts: str) -> str:
        """Return the first of `texts` that has been painted, once one has."""
        await self._until(lambda: any(text in self._seen for text in texts), texts)
        return next(text for text in texts if text in self._seen)

    async def _until(self, condition: Callable[[], bool], awaited: tuple[str, ...]) -> None:
        end = asyncio.get_running_loop().time() + SECONDS
        while not condition():
            left = end - asyncio.get_running_loop().time()
            assert left > 0, f"{awaited} did not come:\n{self._seen}"
            with contextlib.suppress(TimeoutError):
                # The server's pings end no wait of the client's.
                async with asyncio.timeout(left):
                    await self._read(awaited)

    async def _read(self, awaited: tuple[str, ...]) -> None:
        message = await self.socket.receive()
        assert message.type is aiohttp.WSMsgType.BINARY, f"{message} before {awaited}:\n{self._seen}"
        self._seen += _ESCAPES.sub("", message.data.decode())

    async def press(self, keys: str) -> None:
        """Press keys, as somebody does who has read what is there."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(READ_SECONDS):
                    await self._read((f"{keys!r} was pressed",))
        self._seen = ""
        await self.socket.send_json(["stdin", keys])

    async def closed(self) -> str:
        """Return what comes until the server hangs up."""
        async with asyncio.timeout(SECONDS):
            while (message := await self.socket.receive()).type is aiohttp.WSMsgType.BINARY:
                self._seen += _ESCAPES.sub("", message.data.decode())
        return self._seen


Connect = Callable[[Served], Awaitable[Screen]]


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def connect(client: aiohttp.ClientSession) -> Connect:
    """`await connect(served)` opens a screen as the page does."""

    async def open_screen(served: Served) -> Screen:
        path = f"{served.address.replace('http', 'ws', 1)}ws?width=80&height=24"
        return Screen(await client.ws_connect(path, headers={"Origin": served.origin}))

    return open_screen
