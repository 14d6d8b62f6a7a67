"""The core of a revision's definitions: compiled code beside the source, which alone says what the definitions are."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.cache import building_alone, cache_directory, file_sha256, prune_cores
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.save_core import save_core
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.wire import encode
from jiti_tui.sexp import Keyword, Writable

BUILD_SECONDS = 300


@frozen
class DefinitionsCore:
    """Where the core with certain definitions is, or would be. All that decides what is in it is in its name.

    The rest of the name is the SHA-256 of the file: a core with a flipped bit would be another world than its source.
    """

    directory: Path
    key: str

    @classmethod
    def of(cls, sbcl: Sbcl, kernel: str, base: Path, opening: Opening, definitions: str) -> DefinitionsCore:
        """That of `definitions` in a world opened as `opening`, on the core `base`, whose name says what is in it.

        `kernel` is the hash of the kernel's files. Raises WorkerError when there is no cache.
        """
        parts = [sbcl.build_id, kernel, base.name, opening.fields(), definitions]
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
        return cls(cache_directory(), key)

    def find(self) -> Path | None:
        """The core, None where there is none; one that has been damaged is removed."""
        return next(filter(self.is_whole, self._named()), None)

    def path(self) -> Path | None:
        """A file with the name of the core, None where there is none."""
        return next(self._named(), None)

    def is_whole(self, path: Path) -> bool:
        """Whether the file `path` is the core that its name says; one that is not is removed."""
        with suppress(OSError):  # it may have been dropped meanwhile, and a disk may not give what it has
            if path.name == self._name(file_sha256(path)):
                os.utime(path)  # those that have not been used for longest are dropped first
                return True
            path.unlink(missing_ok=True)
        return False

    def _named(self) -> Iterator[Path]:
        return self.directory.glob(f"definitions-{self.key}-*.core")

    async def build(
        self, sbcl: Sbcl, sandbox: Sandbox, base: Path, opening: Opening, definitions: str, heap_mb: int
    ) -> None:
        """Have a process in a sandbox of its own evaluate the definitions, and keep its core.

        It starts from the core `base`, with a heap of `heap_mb` MiB. Raises WorkerError when there is no core of it.
        """
        async with building_alone(self.directory):
            if await asyncio.to_thread(self.find) is None:
                await self._build(
                    sbcl,
                    sandbox,
                    base,
                    encode("save-definitions", opening=_plist(opening), definitions=definitions),
                    heap_mb,
                )

    async def _build(self, sbcl: Sbcl, sandbox: Sandbox, base: Path, request: bytes, heap_mb: int) -> None:
        work = self.directory / f"definitions-{self.key}.{secrets.token_hex(8)}.tmp"
        try:
            work.mkdir(mode=0o700)
            reply = await save_core(sbcl, sandbox, base, work, request, heap_mb=heap_mb, seconds=BUILD_SECONDS)
            if reply.kind == "failed":
                raise WorkerError(Fields(reply).text("reason"))
            core = work / "core"
            # The folder keeps everybody else out. Root's sandboxes run as another user, to whom `lend` gives a link.
            core.chmod(0o644)
            kept = self.directory / self._name(await asyncio.to_thread(file_sha256, core))
            core.replace(kept)
            await asyncio.to_thread(prune_cores, self.directory, "definitions", kept)
        except OSError as error:
            raise WorkerError(f"{error.filename}: {error.strerror}.") from error
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _name(self, sha256: str) -> str:
        return f"definitions-{self.key}-{sha256}.core"


def _plist(opening: Opening) -> list[Writable]:
    return [item for key, value in opening.fields().items() for item in (Keyword(key.replace("_", "-")), value)]
