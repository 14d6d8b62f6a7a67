"""A headless Chromium, worked over its DevTools protocol.

https://chromedevtools.github.io/devtools-protocol/ describes the methods and events that are used here.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import os
import re
import select
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import aiohttp

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
"""The program, None where there is none."""

SECONDS = 30
"""How long a test waits for what must come."""

_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=$]*[a-zA-Z]|\x1b\][^\x07]*\x07")


class Page:
    """A page of its own, with what came through its websockets."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, session: str, numbers: itertools.count[int]) -> None:
        self._socket = socket
        self._session = session
        self._numbers = numbers
        self.painted = ""
        """What the server wrote to the terminal, without escape sequences."""
        self.asked: list[str] = []
        """The addresses of all requests."""
        self.refused: list[str] = []
        """What the browser has logged as errors."""

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol; what comes meanwhile is taken in."""
        number = next(self._numbers)
        call = {"id": number, "method": method, "params": parameters, "sessionId": self._session}
        await self._socket.send_json(call)
        while (message := await self._take()).get("id") != number:
            pass
        assert "error" not in message, message
        result: dict[str, Any] = message["result"]
        return result

    async def wait(self, *texts: str) -> str:
        """Return what was painted, once all of `texts` are in it."""
        return await self._until(lambda: all(text in self.painted for text in texts), f"did not show {texts}")

    async def type(self, text: str) -> None:
        """Type into the page, as a keyboard does. What was painted before is forgotten."""
        self.painted = ""
        for letter in text:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        return (await self.ask("Runtime.evaluate", expression=expression, returnByValue=True))["result"].get("value")

    async def picture(self) -> bytes:
        """Return a PNG of what is seen."""
        return base64.b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"])

    async def _until(self, condition: Callable[[], bool], failure: str) -> str:
        async with asyncio.timeout(SECONDS):
            while not condition():
                await self._take()
        assert condition(), f"{failure}:\n{self.painted}"
        return self.painted

    async def _take(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._socket.receive_json(timeout=SECONDS)
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.webSocketFrameReceived" if parameters["response"]["opcode"] == 2:
                data = base64.b64decode(parameters["response"]["payloadData"])
                self.painted += _ESCAPES.sub("", data.decode("utf-8", "replace"))
            case "Network.requestWillBeSent":
                self.asked.append(parameters["request"]["url"])
            case "Network.webSocketCreated":
                self.asked.append(parameters["url"])
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                self.refused.append(parameters["entry"]["text"])
        return message


class Browser:
    """`async with Browser(folder)` runs Chromium with a profile in `folder`, and ends it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)
        self._sockets: list[aiohttp.ClientWebSocketResponse] = []

    async def __aenter__(self) -> Browser:
        assert CHROMIUM is not None
        # Under root Chromium has no sandbox of its own; the page that it opens here is the test's.
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--remote-debugging-port=0",
            "--window-size=900,520",
        ]
        self._process = await asyncio.create_subprocess_exec(
            CHROMIUM,
            *options,
            f"--user-data-dir={self._folder}",
            "about:blank",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        told = self._folder / "DevToolsActivePort"
        port, path = await asyncio.to_thread(_told_in, told)
        self._address = f"ws://127.0.0.1:{port}{path}"
        self._client = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def open(self, address: str) -> Page:
        """Open `address` in a profile of its own, as another person's browser."""
        socket = await self._client.ws_connect(self._address, max_msg_size=0)
        opened = Page(socket, "", self._numbers)
        context = (await self._call(socket, "Target.createBrowserContext"))["browserContextId"]
        target = await self._call(socket, "Target.createTarget", url="about:blank", browserContextId=context)
        attached = await self._call(socket, "Target.attachToTarget", targetId=target["targetId"], flatten=True)
        opened = Page(socket, attached["sessionId"], self._numbers)
        for domain in ("Network", "Page", "Runtime", "Log"):
            await opened.ask(f"{domain}.enable")
        await opened.ask("Page.navigate", url=address)
        return opened

    async def _call(self, socket: aiohttp.ClientWebSocketResponse, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await socket.send_json({"id": number, "method": method, "params": parameters})
        while (message := await socket.receive_json(timeout=SECONDS)).get("id") != number:
            pass
        result: dict[str, Any] = message["result"]
        return result


def _told_in(path: Path) -> list[str]:
    """Return the two words of a file, once it is there as a whole."""
    end = time.monotonic() + SECONDS
    while not path.exists() or len(words := path.read_text().split()) < 2:
        assert time.monotonic() < end, f"{path} did not come"
        select.select([], [], [], 0.02)
    return words
