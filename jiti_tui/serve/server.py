"""The server: the page, the files that it needs, and for each websocket a screen."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

from jiti_tui.serve.gate import Gate
from jiti_tui.serve.page import headers, page, static_file
from jiti_tui.serve.screen_process import ScreenProcess

MOST_SCREENS = 8
"""Screens at one time. Each has a Lisp process of its own."""

_CLOSING_SECONDS = 2.0
"""How long a browser has to answer when its websocket is closed."""

_HEARTBEAT_SECONDS = 15.0
"""How often a browser is asked whether it is there; it has half of that to answer."""

_MOST_MESSAGE_BYTES = 1_048_576
_MOST_CELLS = 1000
_OTHER_SCREEN = "\x1b[?1049l"
"""Leaves the alternate screen, in xterm's control sequences: a sentence stands where the screen stood."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Serves the screens that `command` shows, under a path that begins with `token`."""

    def __init__(self, title: str, token: str, command: Sequence[str]) -> None:
        self._title = title
        self._base = f"/{token}"
        self._gate = Gate(token)
        self._command = command
        self._open: set[web.WebSocketResponse] = set()
        self._ends: set[asyncio.Task[str]] = set()
        self._gone = asyncio.Event()

    def application(self) -> web.Application:
        """Return what answers requests."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes(
            [
                web.get("/{token}", self._page),
                web.get("/{token}/", self._page),
                web.get("/{token}/static/{name}", self._static),
                web.get("/{token}/ws", self._screen),
            ]
        )
        application.on_shutdown.append(self._shut)
        return application

    async def _shut(self, _: web.Application) -> None:
        """Hang up on every browser, and wait until their screens have ended."""
        await asyncio.gather(*(socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._open))
        while self._open:
            self._gone.clear()
            await self._gone.wait()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        refusal = self._gate.refusal(request.path, host, origin, needs_origin=request.path.endswith("/ws"))
        if refusal:
            return web.Response(status=403, text=f"{refusal}\n", headers=headers(""))
        try:
            return await handler(request)
        except web.HTTPException:
            raise
        except Exception as error:
            print(f"jiti-tui: A defect of jiti-tui serve: {error!r}", file=sys.stderr)
            text = "A defect of jiti-tui; its terminal says more.\n"
            return web.Response(status=500, text=text, headers=headers(""))

    async def _page(self, request: web.Request) -> web.Response:
        text = page(self._title, self._base, request.host)
        return web.Response(text=text, content_type="text/html", headers=headers(request.host))

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = static_file(request.match_info["name"])
        if path is None:
            raise web.HTTPNotFound(text="There is no such file.\n", headers=headers(request.host))
        return web.FileResponse(path, headers=headers(request.host))

    async def _screen(self, request: web.Request) -> web.WebSocketResponse:
        """Show a screen until it ends or its browser goes."""
        socket = web.WebSocketResponse(
            timeout=_CLOSING_SECONDS, heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MOST_MESSAGE_BYTES
        )
        await socket.prepare(request)
        if len(self._open) >= MOST_SCREENS:
            await _say(socket, f"There are {MOST_SCREENS} screens already. Close one of them, then open this again.")
            await socket.close()
            return socket
        self._open.add(socket)
        try:
            await self._show(socket, _cells(request.query.get("width")), _cells(request.query.get("height")))
        finally:
            self._open.discard(socket)
            self._gone.set()
        return socket

    async def _show(self, socket: web.WebSocketResponse, width: int, height: int) -> None:
        # Of a page that is loaded again, the screen before may still hold the store: the new one starts after its end.
        while self._ends:
            await asyncio.wait(self._ends)
        if socket.closed:
            return
        try:
            screen = await ScreenProcess.start(self._command, width, height)
        except OSError as error:
            await _say(socket, f"The screen cannot be started: {error.strerror}.")
            await socket.close()
            return
        showing = asyncio.create_task(_show_pictures(screen, socket), name="show pictures")
        typing = asyncio.create_task(_type(screen, socket), name="type")
        try:
            await asyncio.wait((showing, typing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            said = await self._end(screen, showing, typing)
        if not socket.closed:
            await _say(socket, said)
            await socket.close()

    async def _end(self, screen: ScreenProcess, *tasks: asyncio.Task[None]) -> str:
        """Stop `tasks` and end the screen. It is ended even if the request is cancelled meanwhile."""
        for task in tasks:
            task.cancel()
        ending = asyncio.create_task(screen.end(), name="end a screen")
        self._ends.add(ending)
        ending.add_done_callback(self._ends.discard)
        return await asyncio.shield(ending)


async def _show_pictures(screen: ScreenProcess, socket: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):
        async for picture in screen.pictures():
            await socket.send_bytes(picture)


async def _type(screen: ScreenProcess, socket: web.WebSocketResponse) -> None:
    """Do what textual.js sends: JSON lists, their kind first. A browser that sends anything else is hung up on."""
    async for message in socket:
        try:
            match json.loads(message.data) if message.type is WSMsgType.TEXT else None:
                case ["stdin", str(text)]:
                    await screen.type(text)
                case ["resize", {"width": int(width), "height": int(height)}]:
                    await screen.resize(_bounded(width), _bounded(height))
                case ["ping", str(sent)]:
                    await socket.send_json(["pong", sent])
                case ["focus" | "blur"]:
                    pass  # the screen looks the same either way
                case other:
                    raise ValueError(other)
        except (ValueError, RecursionError):
            await socket.close(code=WSCloseCode.PROTOCOL_ERROR)
        except ConnectionError:
            return


async def _say(socket: web.WebSocketResponse, sentence: str) -> None:
    if sentence:
        with suppress(ConnectionError):
            await socket.send_bytes(f"{_OTHER_SCREEN}\r\n{sentence}\r\n".encode())


def _cells(text: str | None) -> int:
    return _bounded(int(text)) if text is not None and text.isascii() and text.isdecimal() and len(text) < 6 else 80


def _bounded(cells: int) -> int:
    return min(max(cells, 1), _MOST_CELLS)
