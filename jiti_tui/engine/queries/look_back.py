"""Looks back: how a revision came about, what differs between two, since when a check stands as it does.

Reads the store beside all other work, and changes nothing but the directory that an export is written to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jiti_tui.engine.changes import block_changes
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import Compared, ShownRevision, TracedCheck
from jiti_tui.engine.interface.snapshot import Change, CheckKind, Severity
from jiti_tui.engine.queries.contents import changes_between, contents_in
from jiti_tui.engine.records.evidence_lines import evidence_lines
from jiti_tui.engine.records.plain_project import system_name, write_project
from jiti_tui.errors import JitiError, StoreError, WorkerError
from jiti_tui.store.history import Revision
from jiti_tui.store.manifest import Manifest
from jiti_tui.store.store import Store

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session

Backwards = commands.ShowRevision | commands.Compare | commands.TraceCheck | commands.ExportRevision

MOST_LINES = 5_000
"""Lines of a revision's evidence that are shown."""


async def look_back(session: Session, command: Backwards) -> None:
    """Answer `command` in the snapshot; an export is told as a notice."""
    if session.board.snapshot.phase is Phase.STARTING:
        session.board.notice("The world is starting: what there is of it is not known yet.")
        return
    match command:
        case commands.ShowRevision(number):
            session.board.show(shown_revision=await _shown(session, number))
        case commands.Compare(before, after):
            session.board.show(compared=await _compared(session, before, after))
        case commands.TraceCheck(kind, name):
            session.board.show(traced=await asyncio.to_thread(_traced, session.store, kind, name, session.revision))
        case commands.ExportRevision(number, directory):
            await _export(session, number, Path(directory))


async def _shown(session: Session, number: int) -> ShownRevision:
    try:
        manifest = await asyncio.to_thread(session.store.manifest, number)
    except StoreError as error:
        return ShownRevision(number, (), str(error))
    lines = [line for told in evidence_lines(manifest.events) for line in told.splitlines()]
    return ShownRevision(number, tuple(lines[:MOST_LINES]), "", max(0, len(lines) - MOST_LINES))


async def _compared(session: Session, before: int | None, after: int) -> Compared:
    try:
        read = [await asyncio.to_thread(session.store.read, number) for number in (before, after) if number is not None]
        return Compared(before, after, await _changes(session, read))
    except (StoreError, WorkerError) as error:
        return Compared(before, after, (), str(error))


async def _changes(session: Session, revisions: Sequence[Revision]) -> tuple[Change, ...]:
    """What the last of `revisions` changes in the one before it, or adds where it is alone."""
    held = await contents_in(session.workers, revisions)
    changes = changes_between(held[0] if len(held) > 1 else {}, held[-1])
    if len(held) > 1 and not any(change.kind == "data" for change in changes):
        # Of a very large table not every entry is told by name.
        changes += block_changes(revisions[0].manifest.blocks, revisions[-1].manifest.blocks)
    return changes


def _traced(store: Store, kind: CheckKind, name: str, newest: int) -> TracedCheck:
    """Go back until a revision says otherwise; those that did not ask the check are passed over."""
    stands: bool | None = None
    since: int | None = None
    for number in range(newest, store.lowest - 1, -1):
        try:
            said = _verdict(store.manifest(number), kind, name)
        except StoreError:
            continue
        if said is None:
            continue
        ok, detail = said
        if stands is None:
            stands = ok
        if ok is not stands:
            return TracedCheck(kind, name, stands, since, number, detail)
        since = number
    return TracedCheck(kind, name, stands, since)


def _verdict(manifest: Manifest, kind: CheckKind, name: str) -> tuple[bool, str] | None:
    for event in reversed(manifest.events):
        rows = event.get(f"{kind.value}s")
        if event.get("event") == "checked" and isinstance(rows, list):
            for row in rows:
                if isinstance(row, dict) and row.get("name") == name:
                    return bool(row.get("ok")), str(row.get("detail") or "")
            return None
    return None


async def _export(session: Session, number: int, directory: Path) -> None:
    world = session.folder
    try:
        revision = await asyncio.to_thread(session.store.read, number)
        await write_project(world, revision, directory)
    except JitiError as error:
        session.board.notice(str(error), Severity.ERROR)
    else:
        session.board.notice(f"Wrote revision {number} to {directory}/{system_name(world)}.asd and what it needs.")
