"""The keeper: the first worker process. It holds no world; it forks fresh ones and ends what is left over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.command import keeper_command
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.launcher import Launched
from jiti_tui.kernel.leftovers import end_leftovers
from jiti_tui.kernel.listener import Listener
from jiti_tui.kernel.messages import Swept
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import Registry
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.seccomp import open_filter
from jiti_tui.kernel.unprivileged import lend, runs_for_everyone
from jiti_tui.kernel.verifier import Verifier
from jiti_tui.kernel.world import World

FILES_MB = 64
START_SECONDS = 60
SWEEP_SECONDS = 5
SWEEP_DELAY = 0.02
"""Seconds from a worker's end to the sweep after it: the processes of an attempt, which end together, take one."""

MAX_SAID = 1500


class Keeper:
    """A keeper and all that was forked from it, in one sandbox. Made by `start`, ended by `close`.

    When the keeper dies, so does everything else. What code of a world has forked and left behind is ended after each
    worker that ends.
    """

    def __init__(self, listener: Listener, sbcl: Sbcl, sandbox: Sandbox, core_failure: str) -> None:
        self.sbcl = sbcl
        self.sandbox = sandbox
        self.core_failure = core_failure
        """Why the core of the cache could not be used, "" when it could."""
        self._listener = listener
        self._registry = Registry(listener, self._mourn, self._take_last_words)
        self._user = sandbox.user if runs_for_everyone(sbcl) else None
        self._launched: Launched | None = None
        self._worker: Worker | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._sweep_again = False
        self._closing = False

    @classmethod
    async def start(
        cls,
        heap_mb: int,
        files_mb: int = FILES_MB,
        *,
        sbcl: Sbcl | None = None,
        sandbox: Sandbox | None = None,
        core: Callable[[bool], Awaitable[Path]] | None = None,
    ) -> Keeper:
        """Start a keeper whose worlds have heaps of `heap_mb` MiB and files of `files_mb` MiB, in the sandbox where
        that is possible.

        `sbcl` and `sandbox` are looked for unless they are given; a `Sandbox` without bubblewrap asks for none.
        It starts from the kernel's core; when that fails the core is built again, and when that does not help the
        kernel is loaded from source, which takes about half a second. `core` gives another core, built again when its
        argument is true, for which no source can stand in. Raises `WorkerError`, with what SBCL said last, when nothing
        helps.
        """
        sbcl = sbcl or await find_sbcl()
        sandbox = sandbox or await probe_sandbox()
        failure = ""
        for rebuild in (False, True):
            try:
                path = await (core(rebuild) if core else ensure_core(sbcl, rebuild=rebuild))
                return await cls._start(sbcl, path, sandbox, heap_mb, files_mb, failure)
            except WorkerError as error:
                if core is not None and rebuild:
                    raise
                failure = failure or str(error)
        return await cls._start(sbcl, None, sandbox, heap_mb, files_mb, failure)

    @classmethod
    async def _start(
        cls, sbcl: Sbcl, core: Path | None, sandbox: Sandbox, heap_mb: int, files_mb: int, core_failure: str
    ) -> Keeper:
        keeper = cls(Listener.open(), sbcl, sandbox, core_failure)
        try:
            await keeper._launch(core, heap_mb, files_mb)
        except BaseException:
            await keeper.close()
            raise
        return keeper

    async def _launch(self, core: Path | None, heap_mb: int, files_mb: int) -> None:
        expected = self._listener.expect("keeper")
        core, lisp = await self._lend(core)
        with open_filter() as seccomp:
            command = keeper_command(
                self.sbcl,
                core,
                lisp=lisp,
                heap_mb=heap_mb,
                files_mb=files_mb,
                socket=self._listener.path,
                nonce=expected.nonce,
                bwrap=self.sandbox.bwrap,
                seccomp=seccomp,
            )
            try:
                self._launched = await Launched.start(
                    command.argv,
                    environment=command.environment,
                    descriptors=[seccomp] if seccomp else [],
                    # Without a sandbox it is the keeper that ends everything, and it must live to do so.
                    watched=self.sandboxed,
                    user=self._user,
                )
            except OSError as error:
                raise WorkerError(f"{command.argv[0]} cannot be run: {error.strerror}.") from error
        ended = self._launched.exited
        either: set[asyncio.Future[Any]] = {expected.connection, ended}
        await asyncio.wait(either, timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not expected.connection.done():
            how = f"ended with {ended.result()}" if ended.done() else f"was not ready within {START_SECONDS} s"
            said = self._take_last_words()[-MAX_SAID:]
            raise WorkerError(f"SBCL ({self.sbcl.command}) {how}" + (f"; it said: {said}" if said else "."))
        self._worker = self._registry.admit(expected)

    async def _lend(self, core: Path | None) -> tuple[Path | None, Path]:
        """Let the sandbox's user have what belongs to the controller's: where core and Lisp files are for it."""
        lisp = lisp_directory()
        if self._user is None:
            return core, lisp
        try:
            lent = await asyncio.to_thread(lend, core or lisp, self._listener.path.parent)
            self._listener.give(self._user)
        except OSError as error:
            raise WorkerError(f"The kernel cannot be lent to the sandbox's user: {error}.") from error
        return (lent, lisp) if core else (None, lent)

    def _take_last_words(self) -> str:
        return self._launched.take_tail() if self._launched else ""

    @property
    def sandboxed(self) -> bool:
        """Whether code of the world is confined; `sandbox.reason` says why not."""
        return self.sandbox.bwrap is not None

    @property
    def worker(self) -> Worker:
        """The keeper's own process."""
        assert self._worker is not None  # `start` returns no keeper without one
        return self._worker

    async def fork_world(self) -> World:
        """Fork a world process that holds nothing yet."""
        return World(await self._fork("world"), self._registry)

    async def fork_verifier(self) -> Verifier:
        """Fork a verifier that holds nothing yet."""
        return Verifier(await self._fork("verifier"), self._registry)

    async def _fork(self, role: str) -> Worker:
        async with self._registry.sweeping:
            return await self._registry.fork(self.worker, role)

    async def sweep(self) -> int:
        """End every process that was left behind by one that has ended. Returns how many there were."""
        async with self._registry.sweeping:
            keep = [worker.inner_pid for worker in self._registry.workers]
            reply = await self.worker.ask("sweep", seconds=SWEEP_SECONDS, keep=keep)
        if not isinstance(reply, Swept):
            raise self.worker.unexpected(reply)
        return reply.killed

    def _mourn(self, dead: Worker) -> None:
        if dead is self._worker:
            for worker in self._registry.workers:
                worker.kill("its keeper died")
        elif not self._closing:
            self._sweep_again = True
            if self._sweeping is None or self._sweeping.done():
                self._sweeping = asyncio.get_running_loop().create_task(self._sweep_until_quiet())

    async def _sweep_until_quiet(self) -> None:
        with contextlib.suppress(WorkerError):  # then the keeper is dead or about to be, and everything with it
            while self._sweep_again:
                await asyncio.sleep(SWEEP_DELAY)
                self._sweep_again = False
                await self.sweep()

    async def close(self) -> None:
        """End the keeper and all that was forked from it, and wait until nothing of it is left."""
        self._closing = True
        if self._sweeping is not None:
            self._sweeping.cancel()
        workers = set(self._registry.workers)
        for worker in workers - {self._worker}:
            worker.kill()
        if self._worker is not None and not self.sandboxed:
            # Without a sandbox, only the keeper finds what code of a world has left running.
            with contextlib.suppress(WorkerError):
                await self._worker.ask("sweep", seconds=SWEEP_SECONDS, keep=[])
        if self._launched is not None:
            await self._launched.kill()
        for worker in workers:
            worker.kill()
            await worker.wait_dead()
        if not self.sandboxed:
            await asyncio.to_thread(end_leftovers, self._listener.path.parent)
        self._listener.close()
