"""The blocks of a large data table, seen from the session: which of them an export changes, and what in them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from jiti_tui.engine.changes import block_changes, data_changes
from jiti_tui.engine.interface.snapshot import Change
from jiti_tui.kernel.exports import Export
from jiti_tui.store.layout import block_file
from jiti_tui.store.manifest import FileEntry, Manifest

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def changed_data(session: Session, export: Export, origin: int) -> tuple[Change, ...]:
    """What differs between the accepted revision's data and those of `export`.

    The blocks that are no part of `export` are those of the revision `origin`.
    """
    old = sorted({entry.block for entry in export.before})
    texts = await asyncio.to_thread(session.store.read_blocks, origin, old) if old else {}
    changes = data_changes(session.export, export, texts)
    if origin == session.revision:
        return changes
    entries = await asyncio.to_thread(_entries, session, origin)
    return (*changes, *block_changes(*entries))


async def without_unchanged(session: Session, export: Export, origin: int) -> Export:
    """`export` without the texts of blocks that are as in the revision `origin`, if there are such among them."""
    if not export.block_texts:
        return export
    return await asyncio.to_thread(_without_unchanged, session.store.manifest(origin), export)


async def same_data(session: Session, export: Export, origin: int) -> bool:
    """Whether `export`, without unchanged blocks, has the data of the accepted revision."""
    before = session.export
    if (export.data, export.blocks, export.block_texts) != (before.data, before.blocks, before.block_texts):
        return False
    if origin == session.revision or not export.blocks:
        return True
    there, here = await asyncio.to_thread(_entries, session, origin)
    return there == here


def exported_blocks(export: Export, origin: Manifest) -> dict[str, FileEntry]:
    """The blocks of the data of `export`, by their names; those without a text are those of the revision `origin`."""
    there = origin.blocks if export.blocks else {}
    return {
        name: _entry(name, export.block_texts[name]) if name in export.block_texts else there[name]
        for name in export.blocks
    }


def _entry(name: str, text: str) -> FileEntry:
    return FileEntry.of(block_file(name), text.encode("utf-8", "surrogatepass"))


def _entries(session: Session, origin: int) -> tuple[dict[str, FileEntry], dict[str, FileEntry]]:
    """The blocks of the accepted revision and of `origin`, by name."""
    return session.store.manifest(session.revision).blocks, session.store.manifest(origin).blocks


def _without_unchanged(manifest: Manifest, export: Export) -> Export:
    entries = manifest.blocks
    changed = {name: text for name, text in export.block_texts.items() if _entry(name, text) != entries.get(name)}
    return replace(export, block_texts=changed)
