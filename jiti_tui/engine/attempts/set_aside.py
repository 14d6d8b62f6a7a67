"""The blocks of a large data table, read once for many verifications."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from jiti_tui.engine.workers import Workers
from jiti_tui.kernel.verifier import ReadBlocks, Verifier
from jiti_tui.store.manifest import FileEntry


class SetAside:
    """A process that has the base and no definitions, and has read the blocks that do not depend on these.

    A verifier that is forked from it imports definitions, and need not read the blocks.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._process: Verifier | None = None
        self._read: dict[str, FileEntry] = {}
        """What the process has tried to read, by the names of the blocks."""
        self._kept: set[str] = set()
        self._reading: asyncio.Task[Verifier] | None = None

    async def fork(self, blocks: Mapping[str, FileEntry], read: ReadBlocks) -> tuple[Verifier, frozenset[str]]:
        """A fresh process, and the names of those of its `blocks` that are set aside in it. Raises WorkerError.

        `read` gives the texts of blocks; only those are read that the process does not know yet.
        """
        if not blocks:
            return await self._workers.verifier(), frozenset()
        if self._reading is not None:
            await asyncio.wait({self._reading})
        # Shielded: a cancelled caller must not leave the process amid a request. What was read serves the next one.
        self._reading = asyncio.create_task(self._read_changed(blocks, read), name="read blocks of data")
        process = await asyncio.shield(self._reading)
        return await process.fork_verifier(), frozenset(self._kept & blocks.keys())

    async def close(self) -> None:
        """Stop what is under way; the process ends with its keeper."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read_changed(self, blocks: Mapping[str, FileEntry], read: ReadBlocks) -> Verifier:
        process = self._process
        if process is None or not process.worker.alive:
            process = await self._workers.verifier()
            self._process, self._read, self._kept = process, {}, set()
        for name in self._read.keys() - blocks.keys():
            await self._replace(process, name, "")
            del self._read[name]
        for name, entry in blocks.items():
            if self._read.get(name) != entry:
                await self._replace(process, name, (await read([name]))[name])
                self._read[name] = entry
        return process

    async def _replace(self, process: Verifier, name: str, text: str) -> None:
        self._kept.discard(name)
        if await process.set_aside(name, text):
            self._kept.add(name)
