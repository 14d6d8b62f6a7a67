"""The worker processes of a session: a keeper with the world's process in one sandbox, a verifier in another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from jiti_tui.engine.base_hashes import base_hashes
from jiti_tui.errors import BaseCodeError, StoreError, WorkerDied, WorkerError, WorldFolderError, place
from jiti_tui.kernel.base_core import BaseCore, ensure_base_core
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.holder import NO_BLOCKS, Holder, Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.machine import find_machine
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.resources import kernel_hash, lisp_directory
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.verifier import Verifier
from jiti_tui.kernel.world import World as WorldProcess
from jiti_tui.world.check_files import read_base_files
from jiti_tui.world.files import SourceFile
from jiti_tui.world.folder import TOML, World
from jiti_tui.world.toml_lines import key_line, string_line


class Workers:
    """Starts, forks and ends processes; knows nothing of attempts or requests."""

    sbcl: Sbcl
    sandbox: Sandbox
    kernel: str
    """The hash of the kernel's Lisp files."""
    base: tuple[SourceFile, ...]
    """The base files as they were at the start: every process of the session loads the same."""

    def __init__(self, world: World, on_death: Callable[[Worker], None]) -> None:
        self._folder = world
        self._on_death: Callable[[Worker], None] | None = on_death
        self._keeper: Keeper | None = None
        self._bare_verifier: asyncio.Task[Verifier] | None = None
        """Starts the process of which verifiers are forks: it has the base loaded and nothing else."""
        self._verifier_keeper: Keeper | None = None
        self._reviving = asyncio.Lock()
        self._compiled_keepers: list[Keeper] = []
        self._core: BaseCore | None = None
        self.world: WorldProcess | None = None

    @property
    def base_hashes(self) -> dict[str, str]:
        """The hashes of all that is loaded before a revision is imported, once `start` has run."""
        return base_hashes(self.base, self._core.systems if self._core else {})

    @property
    def system_files(self) -> tuple[Path, ...]:
        """The source files of the systems of the base."""
        return self._core.files if self._core else ()

    @property
    def keeper(self) -> Keeper:
        """The keeper from which worlds are forked whose definitions are evaluated, once there has been one."""
        if self._keeper is None:
            raise WorkerError("No keeper runs: the session has evaluated no world.")
        return self._keeper

    @property
    def sandboxed(self) -> bool:
        """Whether code of the world is confined; `sandbox.reason` says why not."""
        return self.sandbox.bwrap is not None

    @property
    def core_failure(self) -> str:
        """Why the core of the cache could not be used, "" as long as it could."""
        return self._keeper.core_failure if self._keeper is not None else ""

    @property
    def opening(self) -> Opening:
        """How every world of the session is opened."""
        folder, limits, policy = self._folder, self._folder.limits, self._folder.policy
        return Opening(
            folder.packages,
            limits.output_bytes,
            limits.forms_bytes,
            limits.depth,
            limits.files_mb * 1024 * 1024,
            policy.allow,
            policy.deny,
        )

    @property
    def living_world(self) -> WorldProcess:
        """The accepted world's process. Raises WorkerDied when there is none."""
        if self.world is None:
            raise WorkerDied("no world is open")
        return self.world

    @property
    def alive(self) -> bool:
        """The world's process lives."""
        return self.world is not None and self.world.worker.alive

    def is_world(self, worker: Worker) -> bool:
        """Whether `worker` is the accepted world's process."""
        return self.world is not None and self.world.worker is worker

    async def revive(self) -> None:
        """Start a keeper if there is none, or another one if it is gone."""
        async with self._reviving:
            if self._keeper is not None and not self._keeper.worker.alive:
                await self._keeper.close()
                self._keeper = None
            if self._keeper is None:
                self._keeper = await self._start_keeper()

    async def start(self) -> None:
        """Find SBCL and the sandbox, and read what every process begins with."""
        (self.sbcl, self.sandbox), self.kernel, self.base = await asyncio.gather(
            find_machine(),
            asyncio.to_thread(kernel_hash, lisp_directory()),
            asyncio.to_thread(read_base_files, self._folder),
        )
        if self._folder.systems:
            await self._base_core(rebuild=False)

    async def fresh(
        self,
        definitions: str = "",
        data: str = "",
        files: Mapping[str, bytes] | None = None,
        blocks: Mapping[str, str] = NO_BLOCKS,
        *,
        settled: bool = True,
    ) -> WorldProcess:
        """A new process with the base loaded and an export imported: what a revision is after a restart.

        Unless it is `settled`, its first export writes all blocks of data, changed or not.

        Raises BaseCodeError when the base fails or has no place for the files that a new world begins with, StoreError
        when the export does not import.
        """
        if self._keeper is None:
            await self.revive()
        process = await self.keeper.fork_world()
        try:
            await self._open(process)
            if definitions or data or files:
                failed = await process.import_(definitions, data, files or {}, blocks)
                if failed is not None and not definitions:
                    raise BaseCodeError(f"The files that a new world begins with have no place: {sentence(failed)}")
                if failed is not None:
                    raise StoreError(f"The revision does not import: {sentence(failed)}")
                if settled:
                    await process.settle()
        except BaseException:
            process.worker.kill()
            raise
        return process

    async def base_core(self) -> Path:
        """The core from which keepers start, as far as it is in the cache. Raises WorkerError."""
        return self._core.path if self._core is not None else await ensure_core(self.sbcl)

    async def from_core(self, core: Path, whole: Awaitable[bool], data: str, blocks: Mapping[str, str]) -> WorldProcess:
        """A new process with the definitions that are in `core`, and the data of a revision imported.

        It has a keeper and a sandbox of its own: code of the world has run before that core was saved. `whole` says
        whether `core` is what was saved; a process of one that is not is never returned. Raises WorkerError when none
        comes of it.
        """

        async def given(rebuild: bool) -> Path:
            if rebuild:
                raise WorkerError(f"{core} does not start.")
            return core

        while len(self._compiled_keepers) > 1:  # the last may have the world as it is now
            await self._compiled_keepers.pop(0).close()
        limits = self._folder.limits
        keeper = await Keeper.start(limits.heap_mb, limits.files_mb, sbcl=self.sbcl, sandbox=self.sandbox, core=given)
        try:
            process = await keeper.fork_world()
            failed = await process.import_changes(data, blocks, ())
            if failed is not None:
                raise WorkerError(sentence(failed))
            await process.settle()
            if not await whole:
                raise WorkerError(f"{core} is not what was saved.")
        except BaseException:
            await keeper.close()
            raise
        self._compiled_keepers.append(keeper)
        return process

    def install(self, process: WorldProcess | None) -> None:
        """Make `process` the world, None: none; the process that was it before ends."""
        old, self.world = self.world, process
        if old is not None:
            old.worker.kill()
        if process is not None:
            process.worker.died.add_done_callback(lambda _: self._mourn(process))

    def take_troubles(self) -> list[str]:
        """What the world's process has told of since the last call, a sentence each."""
        if self.world is None:
            return []
        troubles, self.world.worker.troubles = self.world.worker.troubles, []
        return troubles

    def prepare_verifier(self) -> None:
        """Start the verifier's keeper and load the base there, beside whatever else goes on."""
        if self._bare_verifier is None or (self._bare_verifier.done() and not _lives(self._bare_verifier)):
            self._bare_verifier = asyncio.create_task(self._start_bare_verifier(), name="start the verifier")

    async def verifier(self) -> Verifier:
        """A fresh process in the verifier's sandbox with the base loaded and nothing else."""
        self.prepare_verifier()
        assert self._bare_verifier is not None
        base = await asyncio.shield(self._bare_verifier)
        return await base.fork_verifier()

    async def close(self) -> None:
        """End every process."""
        self._on_death = None
        if self._bare_verifier is not None:
            self._bare_verifier.cancel()
            await asyncio.gather(self._bare_verifier, return_exceptions=True)
        for keeper in (self._verifier_keeper, *self._compiled_keepers, self._keeper):
            if keeper is not None:
                await keeper.close()

    async def _open(self, process: Holder) -> None:
        await process.open(self.opening)
        for source in self.base:
            _refuse_base(await process.load_base(source.file, source.text))
        self._refuse_policy(await process.require_policy())

    def _refuse_policy(self, failed: Failed | None) -> None:
        if failed is not None:
            line = string_line(self._folder.toml, ("policy", failed.type), failed.path)
            raise WorldFolderError(
                f'{place(TOML, line)}: {failed.type} in [policy] names "{failed.path}". {failed.reason}'
            )

    async def _start_keeper(self) -> Keeper:
        core = self._base_core if self._folder.systems else None
        limits = self._folder.limits
        return await Keeper.start(limits.heap_mb, limits.files_mb, sbcl=self.sbcl, sandbox=self.sandbox, core=core)

    async def _base_core(self, rebuild: bool) -> Path:
        """The core with the systems of the base. The session stays with the one that it began with."""
        if self._core is None or rebuild:
            folder = self._folder
            try:
                self._core = await ensure_base_core(
                    self.sbcl, self.sandbox, folder.systems, folder.path, rebuild=rebuild
                )
            except BaseCodeError as error:
                line = key_line(folder.toml, ("systems",))
                raise BaseCodeError(f"{place(TOML, line)}: the base does not load: {error}") from error
        return self._core.path

    async def _start_bare_verifier(self) -> Verifier:
        if self._verifier_keeper is not None:
            await self._verifier_keeper.close()
        self._verifier_keeper = await self._start_keeper()
        process = await self._verifier_keeper.fork_verifier()
        await self._open(process)
        return process

    def _mourn(self, process: WorldProcess) -> None:
        if process is self.world and self._on_death is not None:
            self._on_death(process.worker)


def _lives(task: asyncio.Task[Verifier]) -> bool:
    return not task.cancelled() and task.exception() is None and task.result().worker.alive


def _refuse_base(failed: Failed | None) -> None:
    if failed is not None:
        raise BaseCodeError(f"The base does not load: {sentence(failed)}")


def sentence(failed: Failed) -> str:
    """Why a load or an import failed, and where."""
    where = place(failed.file, failed.line) if failed.file else ""
    return ": ".join(part for part in (where, failed.type, failed.reason) if part)
