"""Opens a session: the store with its recovery, the workers, the accepted world, the checks, the proposer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from jiti_tui.engine.accepted_world import make_world
from jiti_tui.engine.base_hashes import changed_files
from jiti_tui.engine.check_watch import watch
from jiti_tui.engine.checklist import first_broken
from jiti_tui.engine.interface.history import revision_rows
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.errors import BaseCodeError, ProposerError, StoreError, StoreLocked, UsageError
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.model.choose import choose_proposer
from jiti_tui.store.history import Revision
from jiti_tui.store.manifest import Manifest
from jiti_tui.store.store import Store
from jiti_tui.world.initial_files import read_initial_files

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.kernel.runner import Runner
    from jiti_tui.kernel.world import World as WorldProcess


RECENT = 200
"""Records of the store's log that come back on screen."""

POLL_SECONDS = 0.1
"""How often a store that another session is making is looked at."""


async def open_session(session: Session) -> None:
    """Bring the accepted revision back into a fresh process, or publish the base as revision 0 of a new store.

    Raises WorldFolderError, StoreError, WorkerError or UsageError: the session cannot be.
    """
    workers = session.workers
    store, started = await asyncio.gather(_open_store(session), workers.start(), return_exceptions=True)
    if isinstance(store, BaseException):
        raise store
    session.store = store
    session.journal.attach(store, await asyncio.to_thread(store.recent, RECENT))
    if isinstance(started, BaseException):
        raise started
    sandboxed = workers.sandboxed
    session.board.show(sandboxed=sandboxed, sandbox_reason=workers.sandbox.reason, sbcl=workers.sbcl.version)
    _refuse_unsandboxed(session)
    current = session.store.current
    writing = await open_world(session, current)
    session.journal.emit("session", sandboxed=sandboxed, sbcl=workers.sbcl.version, recovered=current is not None)
    _tell_recovery(session)
    # Watched before they are read: what is saved in between is read again.
    session.spawn(watch(session.folder, session.desk))
    session.export, _ = await asyncio.gather(writing, session.reload_checks(first=True))
    if not session.reads_only:
        session.verification.hold(await asyncio.to_thread(session.store.read, session.revision), session.export)
        session.compiled.keep(session.export.definitions)
    if current is not None:
        _require_invariants_on_new_base(session, current)
    _choose_proposer(session)


async def _open_store(session: Session) -> Store:
    """Open the store to write or, where that is asked for, to look on beside the one who holds it."""
    place = session.folder.store
    while session.options.looks_on and not session.reads_only:
        try:
            return await asyncio.to_thread(Store.open, place)
        except StoreLocked as locked:
            if await asyncio.to_thread(Store.open(place, read_only=True).pointer) is not None:
                session.look_on(locked.holder)
            else:  # who holds it is about to publish revision 0
                await asyncio.sleep(POLL_SECONDS)
    return await asyncio.to_thread(Store.open, place, read_only=session.reads_only)


def _refuse_unsandboxed(session: Session) -> None:
    options, snapshot = session.options, session.board.snapshot
    if options.headless and options.mode is Mode.AUTO and not snapshot.sandboxed and not options.unsandboxed:
        raise UsageError(
            f"Outcomes are not accepted unattended without a sandbox: {snapshot.sandbox_reason} "
            "Mend that, or say --unsandboxed, or --accept ask at a terminal. `jiti-tui doctor` tells more."
        )


def _tell_recovery(session: Session) -> None:
    """Say what recovery did, and what the session before this one had not ended, when it was cut off."""
    recovery = session.store.recovery
    if recovery.done:
        session.journal.emit("recovery", done=list(recovery.done))
        session.board.notice(" ".join(recovery.done))
    if recovery.clean:
        return
    session.cut_off = True
    if recovery.lost:
        session.journal.emit("lost", what=recovery.lost)
    session.board.show(reason=f"Lost: {recovery.lost}." if recovery.lost else "Nothing was under way.")


async def open_world(session: Session, current: Manifest | None) -> Awaitable[Export]:
    """Open the world of `current` and place the session where that revision was accepted.

    What is returned gives the session's `export`: a fork writes it while the world is already there.
    """
    if current is None and session.reads_only:
        raise StoreError(f"{session.folder.store} has no revision yet, and a session that only reads makes none.")
    workers = session.workers
    manifests: tuple[Manifest, ...] = ()
    if current is None:
        _resume_agenda(session, manifests)
        process = await workers.fresh(files=await asyncio.to_thread(read_initial_files, session.folder))
        session.export = _kept(await process.export())
        current = await _publish_base(session)
        manifests = (current,)
    else:
        revision = await asyncio.to_thread(session.store.read, current.revision)
        manifests, process = await asyncio.gather(
            asyncio.to_thread(session.store.history), _import(session, current, revision)
        )
        _resume_agenda(session, manifests)
    # The export runs in a fork: another kernel may cut the data into other blocks than those on disk, and a world that
    # exports takes its own for the revision's. The fork is made before `restore` lets the world's threads run.
    runner = await process.runner()
    await make_world(workers, process, current.revision, current.generation)
    session.transcript_line = current.transcript_line
    lowest = await asyncio.to_thread(lambda: session.store.lowest)
    session.board.show(
        revision=current.revision,
        generation=current.generation,
        revisions=revision_rows(manifests, current.revision),
        lowest_revision=lowest,
    )
    return asyncio.create_task(_written(runner), name="write the accepted world")


def _resume_agenda(session: Session, manifests: Sequence[Manifest]) -> None:
    """Go on with the request of the newest of `manifests`; requests of the command line take the place of the rest."""
    begun = session.agenda.resume_at(manifest.request for manifest in manifests if manifest.revision > 0)
    if session.options.requests:
        session.agenda.replace_rest(session.options.requests, begun=begun)
    session.begun_before = begun


async def _written(runner: Runner) -> Export:
    try:
        return _kept(await runner.export())
    finally:
        runner.worker.kill()


async def _import(session: Session, current: Manifest, revision: Revision) -> WorldProcess:
    """The accepted revision in a fresh process; where the base changed since, the message says so."""
    process = await session.compiled.world(revision)
    if process is not None:
        return process
    try:
        return await session.workers.fresh(revision.definitions, revision.data, revision.files, revision.blocks)
    except StoreError as error:
        changed = _changed_base(session, current)
        if not changed:
            raise
        raise StoreError(f"{error} {changed}") from error


def _changed_base(session: Session, current: Manifest) -> str:
    """A sentence about base files and systems that are others than when `current` was accepted, "" when none is."""
    changed = changed_files(current.base, session.workers.base_hashes)
    if not changed:
        return ""
    return (
        f"The base has changed since revision {current.revision} was accepted ({', '.join(changed)}): "
        "bring what was there back, or make the base fit the revision."
    )


def _require_invariants_on_new_base(session: Session, current: Manifest) -> None:
    """A base that has changed under the revision must not have broken it."""
    broken = first_broken(session.checklist.verdicts, session.decides)
    changed = _changed_base(session, current)
    if broken is not None and changed:
        why = broken.detail.rstrip(".")
        raise StoreError(f'Revision {current.revision} breaks the invariant "{broken.check.name}": {why}. {changed}')


def _kept(export: Export | NotReconstructible) -> Export:
    if isinstance(export, NotReconstructible):
        raise BaseCodeError(
            f"The base cannot be kept: {export.reason} ({export.path}). Take it out of the managed packages."
        )
    return export


async def _publish_base(session: Session) -> Manifest:
    """Revision 0: the base world, with nothing accepted on it."""
    store, export = session.store, session.export
    staged = await asyncio.to_thread(store.stage, 0, export.definitions, export.data, export.files, export.block_texts)
    first = session.agenda.current
    manifest = staged.manifest(
        generation=0,
        request=first.text if first else "",
        transcript_line=0,
        sbcl=session.board.snapshot.sbcl,
        kernel=session.workers.kernel,
        base=session.workers.base_hashes,
        events=(),
        time=time.time(),
        summary="base",
        origin="base",
        goals=(0, 0),
    )
    await asyncio.to_thread(store.publish, staged, manifest)
    return manifest


def _choose_proposer(session: Session) -> None:
    options = session.options
    try:
        proposer = (
            choose_proposer(options.proposer, session.folder, options.transcript, options.environ, options.user)
            if options.proposer is None or isinstance(options.proposer, str)
            else options.proposer
        )
    except ProposerError as error:
        session.no_proposer = str(error)
        return
    if proposer is not None:
        session.asker.proposer = proposer
        session.judgement.lenient = proposer.recorded
        session.board.show(proposer=proposer.name, recorded=proposer.recorded, costs_money=proposer.costs_money)
