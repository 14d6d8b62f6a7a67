"""The screen in a real browser."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install the package chromium-headless-shell")

Make = Callable[..., Any]
Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[Browser]:
    async with Browser(tmp_path / "profile") as running:
        yield running


async def test_the_whole_story(
    sales_tax: Path, serve: Make, browser: Browser, family: Family, wait_gone: WaitGone
) -> None:
    served = serve(sales_tax, "--proposer", "replay")
    driver = await browser.open(served.address)
    await driver.wait("YOUR TURN", "sales_tax", "New world.")
    drivers = family(served.process.pid)
    assert await driver.evaluate("document.title") == "Sales tax calculator"
    assert await driver.evaluate("document.fonts.check('16px \"Roboto Mono\"')")
    assert await driver.evaluate("getComputedStyle(document.querySelector('.opening')).display") == "none"
    assert len(colours(await driver.picture())) > 20

    other = await browser.open(served.address)
    await other.wait("READ-ONLY", "Who holds the store")

    await driver.evaluate("document.querySelector('textarea').focus()")
    await driver.type("?")
    await driver.wait("Esc")
    assert {address.split("/")[2] for address in driver.asked if "//" in address} == {served.address.split("/")[2]}
    assert driver.refused == []

    await driver.ask("Page.navigate", url="about:blank")
    await asyncio.to_thread(wait_gone, drivers)
    await other.ask("Page.reload")
    await other.wait("YOUR TURN", "review")


async def test_a_session_that_has_ended_says_so(sales_tax: Path, serve: Make, browser: Browser) -> None:
    (sales_tax / "goals.lisp").write_text("(")
    page = await browser.open(serve(sales_tax).address)
    await page.wait("goals.lisp")
    while await page.evaluate("getComputedStyle(document.querySelector('.closed')).display") != "block":
        pass


async def test_no_page_of_another_origin_gets_in(
    sales_tax: Path, serve: Make, browser: Browser, http_server: Any, family: Family
) -> None:
    """Not even one that knows the token."""
    served = serve(sales_tax)
    http_server.clear()
    http_server.expect_request("/").respond_with_data("<title>other</title>", content_type="text/html")
    page = await browser.open(http_server.url_for("/"))
    socket = f"new WebSocket('{served.address.replace('http', 'ws', 1)}ws')"
    await page.evaluate(f"{socket}.onclose = event => document.title = 'refused ' + event.code")
    while not (title := await page.evaluate("document.title")).startswith("refused"):
        pass
    assert title == "refused 1006"
    assert not family(served.process.pid)


def colours(png: bytes) -> set[bytes]:
    """The different pixels of a PNG of 8 bits, RGB or RGBA. Filters are left in place: they make more of them, but of
    an image of one colour no more than a few.
    """
    width, _, _, kind = struct.unpack(">IIBB", png[16:26])
    size = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        if name == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(data)
    line = 1 + width * size
    return {raw[start + i : start + i + size] for start in range(0, len(raw), line) for i in range(1, line, size)}
