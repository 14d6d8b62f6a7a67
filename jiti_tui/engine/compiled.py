"""Compiled code of accepted definitions: where a session finds it, it need not evaluate them all again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from jiti_tui.engine.workers import Workers
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.compile_job import CompileProcess, Job
from jiti_tui.kernel.definitions_core import DefinitionsCore
from jiti_tui.kernel.world import World as WorldProcess
from jiti_tui.store.history import Revision

LEAST_CHARACTERS = 8 * 1024
"""Shorter definitions are evaluated in less time than it takes to start a process from their core."""
QUIET_SECONDS = 1.0
"""Definitions that have been accepted for so long are compiled for the next session."""


class Compiled:
    """Knows the core with the accepted definitions, and has one made where there is none, beside whatever else goes on.

    Only a base of systems alone can be in a core: base files are loaded in every process, since they may read the
    clock, start threads or open what a core cannot hold. `tell` gets a sentence when no core can be made. Unless it
    `compiles`, none is made.
    """

    def __init__(self, workers: Workers, heap_mb: int, tell: Callable[[str], None], *, compiles: bool) -> None:
        self._workers = workers
        self._heap_mb = heap_mb
        self._tell = tell
        self._compiles = compiles
        self._making: asyncio.Task[None] | None = None
        self._found: str | None = None
        """Definitions of which there is a core."""
        self._closing = asyncio.Event()

    async def world(self, revision: Revision) -> WorldProcess | None:
        """A process that holds `revision`, None where its definitions have to be evaluated."""
        if not self._suits(revision.definitions) or revision.files:
            return None
        try:
            core, _ = await self._core(revision.definitions)
            path = await asyncio.to_thread(core.path)
            if path is None:
                return None
            # Reading it all takes as long as starting from it: both at once, and what is damaged is not used.
            whole = asyncio.create_task(asyncio.to_thread(core.is_whole, path), name="check the compiled definitions")
            process = await self._workers.from_core(path, whole, revision.data, revision.blocks)
        except WorkerError:  # the source alone decides, and says what is wrong if something is
            return None
        self._found = revision.definitions
        return process

    def keep(self, definitions: str) -> None:
        """These definitions have been accepted: have them compiled soon, and no others."""
        if self._making is not None:
            self._making.cancel()
        if self._compiles and definitions != self._found and self._suits(definitions):
            self._making = asyncio.create_task(self._make(definitions), name="compile the definitions")

    async def close(self) -> None:
        """Leave what is not made yet to its process, which ends by itself."""
        self._closing.set()
        if self._making is not None:
            await asyncio.gather(self._making, return_exceptions=True)

    def _suits(self, definitions: str) -> bool:
        workers = self._workers
        # Where the kernel's own core cannot be had, none can be made from it.
        return not workers.base and not workers.core_failure and len(definitions) >= LEAST_CHARACTERS

    async def _core(self, definitions: str) -> tuple[DefinitionsCore, Path]:
        workers = self._workers
        base = await workers.base_core()
        core = await asyncio.to_thread(
            DefinitionsCore.of, workers.sbcl, workers.kernel, base, workers.opening, definitions
        )
        return core, base

    async def _make(self, definitions: str) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), QUIET_SECONDS)
        workers = self._workers
        try:
            core, base = await self._core(definitions)
            if await asyncio.to_thread(core.path) is not None:
                return
            compiling = CompileProcess(
                Job(core, workers.sbcl, workers.sandbox, base, workers.opening, definitions, self._heap_mb)
            )
            failure = await self._follow(compiling)
        except WorkerError as error:
            failure = str(error)
        if failure:
            self._tell(f"The definitions are not kept compiled: {failure}")

    async def _follow(self, compiling: CompileProcess) -> str:
        """Why no core has come of it, "" where one has, or where the session ends first."""
        closing = asyncio.ensure_future(self._closing.wait())
        either: set[asyncio.Future[Any]] = {compiling.ended, closing}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            compiling.stop()
            raise
        finally:
            closing.cancel()
        if compiling.ended.done():
            return compiling.ended.result()
        compiling.leave()
        return ""
