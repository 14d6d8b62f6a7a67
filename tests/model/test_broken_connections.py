"""Servers that close in the middle of an answer, on a real socket: the call is made again, and paid for as it is."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import Literal

import pytest
from fakes.listener import Ear

from jiti_tui.errors import ProposerError
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import NONE
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings

Make = Callable[..., OpenAIProposer]

BEGINNING = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
EVENT = b'data: {"type": "response.output_text.delta", "output_index": 0, "delta": "{"}\n\n'
CHUNK = b"%x\r\n" % len(EVENT) + EVENT + b"\r\n"
BROKEN = {
    "in a chunk": BEGINNING + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK + b"1f4\r\ndata: {",
    "before the length": BEGINNING + b"Content-Length: 9000\r\n\r\n" + EVENT,
    "by a reset": BEGINNING + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK,
    "in the headers": BEGINNING[:30],
    "at once": b"",
}


@pytest.mark.parametrize("api", ["responses", "chat"])
@pytest.mark.parametrize("how", BROKEN)
async def test_a_server_that_closes_in_the_middle(
    how: str, api: Literal["responses", "chat"], make: Make, idle: View
) -> None:
    calls = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        writer.write(BROKEN[how])
        await writer.drain()
        if how == "by a reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ear = Ear()
        with pytest.raises(ProposerError, match=r"The connection to 127\.0\.0\.1:\d+ failed") as raised:
            await make(ModelSettings(api=api), base_url=url).propose(idle, ear)
    assert raised.value.family == "transient"
    assert (calls, len(ear.waits)) == (5, 4)
    if how in ("in the headers", "at once"):
        assert ear.cost == NONE
    elif how != "by a reset":  # which may overtake what was sent before it
        assert ear.cost.estimated == ear.cost.total > 0
