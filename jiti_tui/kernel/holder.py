"""A process that holds a world: it is opened, loaded with the trusted base, and imported into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Done, Failed, Reply
from jiti_tui.sexp import Keyword

LOAD_SECONDS = 600.0
IMPORT_SECONDS = 300.0
CHUNK_CHARACTERS = 256 * 1024
"""At most 1 MiB in UTF-8."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a world is opened: its managed packages, the reading package first, then its bounds and policy."""

    packages: Sequence[str]
    output_bytes: int = 65536
    forms_bytes: int = 65536
    depth: int = 200
    allow: Sequence[str] = ()
    deny: Sequence[str] = ()


class Holder(Forks):
    """What a world and a verifier have in common."""

    async def open(self, opening: Opening) -> None:
        """Make the managed packages known and set the bounds; comes first, once."""
        self._require_done(
            await self.worker.ask(
                "open",
                packages=list(opening.packages),
                output_bytes=opening.output_bytes,
                forms_bytes=opening.forms_bytes,
                depth=opening.depth,
                allow=list(opening.allow),
                deny=list(opening.deny),
            )
        )

    async def load_base(self, file: str, text: str) -> Failed | None:
        """Load a trusted file, called `file` in messages. Returns where and why it failed, None when it did not."""
        return self._failure(await self.worker.ask("load-base", seconds=LOAD_SECONDS, file=file, text=text))

    async def import_(self, definitions: str, data: str) -> Failed | None:
        """Import the two texts of a revision. Returns where and why it failed, None when it did not."""
        for part, text in (("definitions", definitions), ("data", data)):
            for start in range(0, len(text), CHUNK_CHARACTERS):
                chunk = text[start : start + CHUNK_CHARACTERS]
                self._require_done(await self.worker.ask("receive", part=Keyword(part), text=chunk))
        return self._failure(await self.worker.ask("import", seconds=IMPORT_SECONDS))

    def _require_done(self, reply: Reply) -> None:
        if not isinstance(reply, Done):
            raise self.worker.unexpected(reply)

    def _failure(self, reply: Reply) -> Failed | None:
        if isinstance(reply, Failed):
            return reply
        self._require_done(reply)
        return None
