"""How soon a model's server is left alone when the operator stops a call."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.rows import Row
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Go, Quit, Stop
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model_settings import ModelSettings
from jiti_tui.world.folder import read_world

DEMO = Path("demo_worlds/sales_tax")
ROUNDS = 21
GOAL_MS = 500.0
SECONDS = 60
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_BEGUN = b'data: {"type": "response.output_text.delta", "output_index": 0, "delta": "{"}\n\n'


class Slot:
    """A server that begins each answer and never ends it: `taken` and `freed` are told of each call."""

    def __init__(self) -> None:
        self.taken: asyncio.Queue[None] = asyncio.Queue()
        self.freed: asyncio.Queue[float] = asyncio.Queue()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one call, until its caller has gone."""
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_HEAD + _BEGUN)
        await writer.drain()
        self.taken.put_nowait(None)
        with suppress(ConnectionResetError):
            while await reader.read(65536):
                pass
        self.freed.put_nowait(time.perf_counter())
        writer.close()


async def measure() -> list[Row]:
    """From `Stop`, as Esc sends it, to the end of the connection at the server, in a session on the demo."""
    slot = Slot()
    server = await asyncio.start_server(slot.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(DEMO, Path(folder) / DEMO.name, ignore=shutil.ignore_patterns("store"))
        proposer = OpenAIProposer(ModelSettings(), "", f"http://127.0.0.1:{port}/v1", copy)
        options = Options(mode=Mode.REVIEW, unsandboxed=True, proposer=proposer)
        engine = Engine(read_world(copy), options, on_snapshot=lambda _: None)
        engine.start()
        try:
            times = [await _stop(engine, slot) for _ in range(ROUNDS)]
        finally:
            engine.send(Quit())
            await asyncio.to_thread(engine.join, SECONDS)
            server.close()
    median, worst = statistics.median(times), max(times)
    remark = f"at most that; the worst of {ROUNDS} took {worst:.1f} ms"
    return [Row("Esc until the model's server is free", median, "half a second", GOAL_MS, remark, worst <= GOAL_MS)]


async def _stop(engine: Engine, slot: Slot) -> float:
    """Have the model asked, and stop that; how many milliseconds the server is not free."""
    engine.send(Go())
    async with asyncio.timeout(SECONDS):
        await slot.taken.get()
        since = time.perf_counter()
        engine.send(Stop())
        return (await slot.freed.get() - since) * 1000
