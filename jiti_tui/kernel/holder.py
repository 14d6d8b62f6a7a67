"""A process that holds a world: it is opened, loaded with the trusted base, and imported into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jiti_tui.frozen import frozen
from jiti_tui.kernel.file_transfer import send_files
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Done, Failed, Reply
from jiti_tui.sexp import Keyword

LOAD_SECONDS = 600.0
IMPORT_SECONDS = 300.0
CHUNK_CHARACTERS = 256 * 1024
"""At most 1 MiB in UTF-8."""

NO_BLOCKS: Mapping[str, str] = MappingProxyType({})


@frozen
class Opening:
    """How a world is opened: its managed packages, the reading package first, then its bounds and policy."""

    packages: Sequence[str]
    output_bytes: int = 65536
    forms_bytes: int = 65536
    depth: int = 200
    files_bytes: int = 64 * 1024 * 1024
    allow: Sequence[str] = ()
    deny: Sequence[str] = ()

    def fields(self) -> dict[str, Any]:
        """As a message has it."""
        return {
            "packages": list(self.packages),
            "output_bytes": self.output_bytes,
            "forms_bytes": self.forms_bytes,
            "depth": self.depth,
            "files_bytes": self.files_bytes,
            "allow": list(self.allow),
            "deny": list(self.deny),
        }


class Holder(Forks):
    """What a world and a verifier have in common."""

    async def open(self, opening: Opening) -> None:
        """Make the managed packages known and set the bounds; comes first, once."""
        self._require_done(await self.worker.ask("open", **opening.fields()))

    async def load_base(self, file: str, text: str) -> Failed | None:
        """Load a trusted file, called `file` in messages. Returns where and why it failed, None when it did not."""
        return self._failure(await self.worker.ask("load-base", seconds=LOAD_SECONDS, file=file, text=text))

    async def require_policy(self) -> Failed | None:
        """Once the base is loaded: the first entry of the policy that names nothing there, None if all do.

        Its `type` is "allow" or "deny", its `path` the entry.
        """
        return self._failure(await self.worker.ask("require-policy"))

    async def import_(
        self, definitions: str, data: str, files: Mapping[str, bytes], blocks: Mapping[str, str] = NO_BLOCKS
    ) -> Failed | None:
        """Import a whole revision: two texts, its files and its blocks of data.

        Returns where and why it failed, None when it did not.
        """
        return await self._import_definitions(definitions, files) or await self._import_data(data, blocks)

    async def import_changes(self, data: str, blocks: Mapping[str, str], replaced: Iterable[str]) -> Failed | None:
        """Import `data` and `blocks` in the place of what was imported before.

        `replaced` are the names of the blocks that go; the others stay. Returns where and why it failed, None when it
        did not.
        """
        self._require_done(await self.worker.ask("make-way", blocks=list(replaced)))
        return await self._import_data(data, blocks)

    async def settle(self) -> bool:
        """Tell the process that what it has imported is a revision: only what changes from here on is exported.

        False when it would cut the blocks otherwise: then the first export writes all of them.
        """
        return self._failure(await self.worker.ask("settle", seconds=IMPORT_SECONDS)) is None

    async def _import_definitions(self, definitions: str, files: Mapping[str, bytes]) -> Failed | None:
        failed = self._failure(await send_files(self.worker, self.files, files))
        if failed is not None:
            return failed
        self.files = files
        return await self._import_part("definitions", definitions)

    async def _import_data(self, data: str, blocks: Mapping[str, str]) -> Failed | None:
        for name, text in blocks.items():
            failed = await self._import_part("block", text, name)
            if failed is not None:
                return failed
        return await self._import_part("data", data)

    async def _import_part(self, part: str, text: str, name: str = "") -> Failed | None:
        await self._send_part(part, text)
        return self._failure(await self.worker.ask("import", seconds=IMPORT_SECONDS, part=Keyword(part), name=name))

    async def _send_part(self, part: str, text: str) -> None:
        for start in range(0, len(text), CHUNK_CHARACTERS):
            chunk = text[start : start + CHUNK_CHARACTERS]
            self._require_done(await self.worker.ask("receive", part=Keyword(part), text=chunk))

    def _require_done(self, reply: Reply) -> None:
        if not isinstance(reply, Done):
            raise self.worker.unexpected(reply)

    def _failure(self, reply: Reply) -> Failed | None:
        if isinstance(reply, Failed):
            return reply
        self._require_done(reply)
        return None
