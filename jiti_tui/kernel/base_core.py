"""The core of a base: the kernel with the ASDF systems of a world loaded, built once and kept as long as they stay."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from jiti_tui.errors import BaseCodeError, WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.cache import building_alone, cache_directory, file_sha256, prune_cores
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.resources import kernel_hash, lisp_directory
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.save_core import save_core
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.source_folders import SourceFolder, linked_folders, source_folders, system_definitions
from jiti_tui.kernel.wire import Message, encode
from jiti_tui.sexp import Writable

BUILD_SECONDS = 600
_HEAP_MB = 2048


@frozen
class BaseCore:
    """A core, and of each system in it, SBCL's own left out, the SHA-256 of its source files, in hexadecimal.

    `files` are those source files.
    """

    path: Path
    systems: dict[str, str]
    files: tuple[Path, ...]


@frozen
class _Listed:
    """A source file as it was when a core was built from it."""

    system: str
    path: str
    sha256: str


async def ensure_base_core(
    sbcl: Sbcl, sandbox: Sandbox, systems: Sequence[str], world: Path, *, rebuild: bool = False
) -> BaseCore:
    """The core with the kernel and `systems`, built unless the cache has it and no source file has changed.

    Systems are looked for in the folder `world` first, then where the user's ASDF looks. They are loaded in a sandbox
    in which these folders can be read. `rebuild` builds it in any case. Raises BaseCodeError when a system is missing
    or does not load, WorkerError when the cache cannot be used or the build fails.
    """
    folders = await source_folders(sbcl, world)
    return await _Builder(sbcl, sandbox, tuple(systems), folders).ensure(rebuild=rebuild)


class _Builder:
    def __init__(
        self, sbcl: Sbcl, sandbox: Sandbox, systems: tuple[str, ...], folders: tuple[SourceFolder, ...]
    ) -> None:
        self._sbcl = sbcl
        self._sandbox = sandbox
        self._systems = systems
        self._folders = folders

    async def ensure(self, *, rebuild: bool) -> BaseCore:
        directory = await asyncio.to_thread(cache_directory)
        listing = directory / f"base-{await asyncio.to_thread(self._key)}.json"
        known = None if rebuild else await asyncio.to_thread(_current, listing)
        if known is not None:
            return known
        kernel = await ensure_core(self._sbcl)
        async with building_alone(directory):
            known = None if rebuild else await asyncio.to_thread(_current, listing)
            return known or await self._build(kernel, listing)

    def _key(self) -> str:
        """What decides which files are read: nothing but this and their contents decides what is in the core."""
        parts = [
            self._sbcl.build_id,
            kernel_hash(lisp_directory()),
            *self._systems,
            *(f"{folder.tree} {folder.path}" for folder in self._folders),
            *map(str, system_definitions(self._folders)),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    async def _build(self, kernel: Path, listing: Path) -> BaseCore:
        work = listing.with_name(f"{listing.stem}.{secrets.token_hex(8)}.tmp")
        try:
            work.mkdir(mode=0o700)
            files = await self._save(kernel, work)
            text = json.dumps([[file.system, file.path, file.sha256] for file in files])
            core = _core(listing, text)
            (work / "core").replace(core)
            (work / "listing").write_text(text)
            (work / "listing").replace(listing)
        except OSError as error:
            raise WorkerError(f"The core of the base cannot be kept in {listing.parent}: {error.strerror}.") from error
        finally:
            shutil.rmtree(work, ignore_errors=True)
        await asyncio.to_thread(_prune, listing.parent, core)
        return BaseCore(core, _by_system(files), tuple(Path(file.path) for file in files))

    async def _save(self, kernel: Path, work: Path) -> list[_Listed]:
        """Have a process load the systems and save itself in `work`; the files that it has loaded."""
        folders: list[Writable] = [[str(folder.path), folder.tree] for folder in self._folders]
        try:
            reply = await save_core(
                self._sbcl,
                self._sandbox,
                kernel,
                work,
                encode("save-base", systems=list(self._systems), folders=folders),
                heap_mb=_HEAP_MB,
                seconds=BUILD_SECONDS,
                readable=[folder.path for folder in self._folders] + linked_folders(self._folders),
            )
        except WorkerError as error:
            raise WorkerError(f"SBCL could not save the systems {', '.join(self._systems)}: {error}") from error
        _refuse(reply)
        return await asyncio.to_thread(_list, reply)


def _list(reply: Message) -> list[_Listed]:
    rows = Fields(reply).rows("files", 2)
    return [_Listed(row.text(0), row.text(1), file_sha256(Path(row.text(1)))) for row in rows]


def _refuse(reply: Message) -> None:
    """Raise BaseCodeError if the reply says that a system did not load."""
    if reply.kind == "failed":
        failed = Fields(reply)
        place, kind, reason = failed.text("file"), failed.text("type"), failed.text("reason")
        raise BaseCodeError(": ".join(part for part in (place, kind, reason) if part))


def _current(listing: Path) -> BaseCore | None:
    """The core of `listing`, if it is there and every file is as it was."""
    try:
        text = listing.read_text()
        files = [_Listed(*row) for row in json.loads(text)]
        if not all(file_sha256(Path(file.path)) == file.sha256 for file in files):
            return None
        core = _core(listing, text)
        os.utime(core)  # those that have not been used for longest are dropped first
    except (OSError, ValueError, TypeError):
        return None
    return BaseCore(core, _by_system(files), tuple(Path(file.path) for file in files))


def _core(listing: Path, text: str) -> Path:
    """The core that goes with the `text` of a listing: a session whose sources change goes on with its own."""
    return listing.with_name(f"{listing.stem}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.core")


def _by_system(files: Sequence[_Listed]) -> dict[str, str]:
    total: dict[str, str] = {}
    for system in sorted({file.system for file in files}):
        hashes = "".join(f"{file.sha256}\n" for file in files if file.system == system)
        total[system] = hashlib.sha256(hashes.encode()).hexdigest()
    return total


def _prune(directory: Path, core: Path) -> None:
    """Drop cores that are not used any more, and the listings that have none."""
    prune_cores(directory, "base", core)
    for listing in directory.glob("base-*.json"):
        if not list(directory.glob(f"{listing.stem}-*.core")):
            listing.unlink(missing_ok=True)
