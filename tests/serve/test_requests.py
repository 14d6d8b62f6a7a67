"""What the server answers to requests, and what it never tells."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

Serve = Callable[..., Any]
Client = aiohttp.ClientSession


async def test_the_page_and_its_files_come_from_here_alone(sales_tax: Path, serve: Serve, client: Client) -> None:
    served = serve(sales_tax)
    async with client.get(served.address) as answer:
        text, headers = await answer.text(), answer.headers
    assert "<title>Sales tax calculator</title>" in text
    assert text.count("://") == text.count(f"ws://{served.origin.removeprefix('http://')}/") == 1
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")
    for name, status in {"textual.js": 200, "xterm.css": 200, "font.ttf": 200, "..%2Fserver.py": 404}.items():
        async with client.get(f"{served.address}static/{name}") as answer:
            assert (name, answer.status) == (name, status)


async def test_what_has_no_token_is_refused_in_a_sentence(sales_tax: Path, serve: Serve, client: Client) -> None:
    served = serve(sales_tax)
    wrong = f"{served.origin}/{served.token[:-1]}x"
    for url in (served.origin, f"{served.origin}/static/textual.js", f"{served.origin}/ws", f"{wrong}/", f"{wrong}/ws"):
        for headers in ({}, {"Upgrade": "websocket", "Connection": "Upgrade", "Origin": served.origin}):
            async with client.get(url, headers=headers) as answer:
                assert answer.status == 403
                assert "printed" in await answer.text()


async def test_other_pages_and_other_names_are_refused(sales_tax: Path, serve: Serve, client: Client) -> None:
    served = serve(sales_tax)
    other = "http://example.com"
    for headers in ({"Origin": other}, {}, {"Host": "example.com", "Origin": other}):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await client.ws_connect(f"{served.address.replace('http', 'ws', 1)}ws", headers=headers)
        assert refused.value.status == 403
    async with client.get(served.address, headers={"Host": "example.com"}) as answer:
        assert answer.status == 403
        assert "localhost" in await answer.text()


async def test_the_token_is_in_no_word_but_the_address(
    sales_tax: Path, serve: Serve, client: Client, family: Callable[[int], set[int]], connect: Callable[..., Any]
) -> None:
    served = serve(sales_tax)
    screen = await connect(served)
    await screen.wait("Starting")
    for path in ("", "nothing", "static/nothing", "ws"):
        async with client.get(served.address + path) as answer:
            await answer.read()
    for pid in {served.process.pid, *family(served.process.pid)}:
        for what in ("cmdline", "environ"):
            try:
                told = Path(f"/proc/{pid}/{what}").read_bytes()
            except OSError:
                continue
            assert served.token.encode() not in told
    await screen.socket.close()
    code, told = served.ended(signal.SIGTERM)
    assert (code, served.token in told, "Traceback" in told) == (130, False, False)


async def test_it_hangs_up_on_what_no_page_sends(sales_tax: Path, serve: Serve, connect: Callable[..., Any]) -> None:
    served = serve(sales_tax, "--read-only")
    for message in ("not JSON", '["resize", {"width": "x", "height": 1}]', "[" * 100000):
        screen = await connect(served)
        await screen.socket.send_str(message)
        await screen.closed()
        assert (message[:9], screen.socket.close_code) == (message[:9], aiohttp.WSCloseCode.PROTOCOL_ERROR)
    assert "Traceback" not in served.ended(signal.SIGTERM)[1]


@pytest.mark.slow
async def test_sizes_beyond_all_terminals_are_cut(sales_tax: Path, serve: Serve, connect: Callable[..., Any]) -> None:
    screen = await connect(serve(sales_tax))
    await screen.wait("YOUR TURN")
    await screen.socket.send_json(["resize", {"width": 10**9, "height": -1}])
    await screen.socket.send_json(["resize", {"width": 100, "height": 24}])
    await screen.press("?")
    await screen.wait("Keys", "Esc")
