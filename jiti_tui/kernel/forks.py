"""The clients of those roles that fork runners: world, candidate and verifier."""

from __future__ import annotations

from jiti_tui.kernel.client import Client
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import Registry
from jiti_tui.kernel.runner import Runner


class Forks(Client):
    """A process in whose throwaway forks its world can be looked at."""

    def __init__(self, worker: Worker, registry: Registry) -> None:
        super().__init__(worker)
        self._registry = registry

    async def runner(self) -> Runner:
        """Fork a throwaway process in which checks, an export, a view or an inspection run."""
        return Runner(await self._registry.fork(self.worker, "runner"))
