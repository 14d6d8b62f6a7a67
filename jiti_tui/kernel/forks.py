"""The clients of those roles that fork runners: world, candidate and verifier."""

from __future__ import annotations

from collections.abc import Mapping

from jiti_tui.kernel.client import Client
from jiti_tui.kernel.exporting import EXPORT_SECONDS, export
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import Registry
from jiti_tui.kernel.runner import Runner


class Forks(Client):
    """A process in whose throwaway forks its world can be looked at.

    `files` are the files of the world as the process was given them, or as they were when it was accepted. A file that
    is the same still does not travel when the process is exported.
    """

    def __init__(self, worker: Worker, registry: Registry, files: Mapping[str, bytes] | None = None) -> None:
        super().__init__(worker)
        self._registry = registry
        self.files = files or {}

    async def runner(self) -> Runner:
        """Fork a throwaway process in which checks, an export, a view or an inspection run."""
        return Runner(await self._registry.fork(self.worker, "runner"), self.files)

    async def export(self, seconds: float = EXPORT_SECONDS) -> Export | NotReconstructible:
        """Write the world down in the process itself, which from here on takes that for its revision."""
        return await export(self.worker, self.files, seconds)
