"""The verifier: a process of its own that imports what would be published."""

from __future__ import annotations

from jiti_tui.kernel.holder import Holder


class Verifier(Holder):
    """Holds an imported revision. A fork of it imports the next one without reading again what has not changed."""

    async def fork_verifier(self) -> Verifier:
        """Fork another verifier that holds the same."""
        return Verifier(await self._registry.fork(self.worker, "verifier"), self._registry, self.files)
