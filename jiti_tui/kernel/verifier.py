"""The verifier: a process of its own that imports what would be published."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping

from jiti_tui.kernel.holder import IMPORT_SECONDS, Holder
from jiti_tui.kernel.messages import Failed, Kept, Reply
from jiti_tui.kernel.process import Worker

ReadBlocks = Callable[[Collection[str]], Awaitable[Mapping[str, str]]]
"""Gives the texts of blocks of data by their names."""


class Verifier(Holder):
    """Holds an imported revision. A fork of it imports the next one without reading again what has not changed."""

    async def fork_verifier(self) -> Verifier:
        """Fork another verifier that holds the same."""
        return Verifier(await self._registry.fork(self.worker, "verifier"), self._registry, self.files)

    async def set_aside(self, name: str, text: str) -> bool:
        """Read a block of data that no definition can have a say in, for forks of this process to bring back.

        False if the block is none, or empty. What was set aside by that name before is forgotten.
        """
        await self._send_part("block", text)
        return bool(_kept(self.worker, await self.worker.ask("set-aside", seconds=IMPORT_SECONDS, name=name)))

    async def import_around(
        self,
        definitions: str,
        data: str,
        files: Mapping[str, bytes],
        blocks: Collection[str],
        read: ReadBlocks,
        *,
        aside: Collection[str],
        verified: Collection[str],
    ) -> Failed | None:
        """As `import_`, in a process in which the blocks `aside` were set aside.

        `read` is asked for the other blocks, and for those set aside that cannot be used with these definitions. Blocks
        that are `verified` are known to be right: the next export leaves them out if they were set aside. Returns where
        and why it failed, None when it did not.
        """
        failed = await self._import_definitions(definitions, files)
        if failed is not None:
            return failed
        there = [name for name in blocks if name in aside]
        again = [name for name in there if name not in verified]
        reply = await self.worker.ask("bring-back", seconds=IMPORT_SECONDS, blocks=there, again=again)
        kept = _kept(self.worker, reply)
        return await self._import_data(data, await read([name for name in blocks if name not in kept]))


def _kept(worker: Worker, reply: Reply) -> frozenset[str]:
    if not isinstance(reply, Kept):
        raise worker.unexpected(reply)
    return frozenset(reply.blocks)
