"""A publication: what a candidate is to become on disk, staged and verified while the operator reads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from jiti_tui.engine.attempts.data_blocks import exported_blocks
from jiti_tui.engine.checklist import Verdict, goals_met
from jiti_tui.engine.desk import Prepared
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.uninterrupted import uninterrupted
from jiti_tui.errors import StoreError, WorkerDied, WorkerError, WorldFolderError
from jiti_tui.kernel.exports import Export
from jiti_tui.store.manifest import FileEntry, Manifest
from jiti_tui.store.publish import Staged

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.kernel.holder import Holder


class Publication:
    """`prepare` works in the background and ends with `Prepared` at the desk; only then can it be published.

    `origin_of_blocks` is the revision that has the blocks of data which are no part of `export`.
    """

    def __init__(self, session: Session, export: Export, origin_of_blocks: int, summary: str, origin: str) -> None:
        self.export = export
        self.prepared = False
        self._session = session
        self._origin_of_blocks = origin_of_blocks
        self._summary = summary
        self._origin = origin
        self._verdicts: Sequence[Verdict] = ()
        self._staged: Staged | None = None
        self._work: asyncio.Task[None] | None = None

    async def prepare(self, verdicts: Sequence[Verdict]) -> None:
        """Begin, or begin again: stage the files and have a fresh process import, export and check them.

        `verdicts` are the candidate's, with which those of the fresh process must agree.
        """
        await self.drop()
        self._verdicts = verdicts
        self._work = asyncio.create_task(self._prepare(), name="prepare a publication")

    @property
    def preparing(self) -> bool:
        """The preparation has not ended."""
        return self._work is not None and not self._work.done()

    def awaits(self, prepared: Prepared) -> bool:
        """Whether `prepared` is news of the present preparation."""
        return prepared.work is not None and prepared.work is self._work

    async def publish(self) -> Manifest:
        """Write the manifest and make the revision the accepted one.

        Raises StoreError when nothing was published, StoreUncertain when it is unknown.
        """
        session, staged = self._session, self._staged
        if staged is None:
            raise StoreError("Nothing is staged to be published.")
        self._staged, self.prepared = None, False
        request = session.agenda.current
        manifest = staged.manifest(
            generation=session.generation + 1,
            request=request.text if request else "",
            transcript_line=session.transcript_line,
            sbcl=session.board.snapshot.sbcl,
            kernel=session.workers.kernel,
            base=session.workers.base_hashes,
            events=session.journal.trail.records,
            time=time.time(),
            summary=self._summary,
            origin=self._origin,
            goals=goals_met(self._verdicts, session.decides),
        )
        await uninterrupted(session.store.publish, staged, manifest)
        session.verification.accepted()
        return manifest

    async def drop(self) -> None:
        """Stop the background work and remove what was staged; an accepted revision is left alone.

        What cannot be removed now is removed by what is staged next.
        """
        work, self._work = self._work, None
        if work is not None:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        self._session.verification.drop()
        staged, self._staged, self.prepared = self._staged, None, False
        if staged is not None:
            try:
                await uninterrupted(self._session.store.discard, staged)
            except StoreError as error:
                self._session.board.notice(str(error), Severity.ERROR)

    async def _prepare(self) -> None:
        try:
            wrong, failure = await self._stage_and_verify(), None
        except Exception as error:
            wrong, failure = "", error
        self.prepared = not wrong and failure is None
        self._session.desk.put(Prepared(asyncio.current_task(), wrong, failure))

    async def _stage_and_verify(self) -> str:
        """Returns what the verifier finds wrong, or "". Raises StoreError."""
        number = self._session.revision + 1
        export = self.export
        kept = [name for name in export.blocks if name not in export.block_texts]
        staging = asyncio.create_task(
            uninterrupted(
                self._session.store.stage,
                number,
                export.definitions,
                export.data,
                export.files,
                export.block_texts,
                kept,
                self._origin_of_blocks,
            )
        )
        try:
            wrong = await self._verify()
        except (WorkerError, WorldFolderError) as error:
            wrong = f"no fresh process can be asked: {error}"
        finally:
            # A thread cannot be cancelled: what it has staged must be known before anything else is.
            await asyncio.wait([staging])
            if staging.exception() is None:
                self._staged = staging.result()
        if not wrong:
            staging.result()
        return wrong

    async def _verify(self) -> str:
        """What `Verification.verify` says. A process that dies is followed by one more."""
        verification = self._session.verification
        blocks = await asyncio.to_thread(self._blocks)
        try:
            return await verification.verify(self.export, blocks, self._read_blocks, self._agree)
        except WorkerDied:
            # As a rule it was killed from outside, where memory is short. Only what a whole verification says counts.
            return await verification.verify(self.export, blocks, self._read_blocks, self._agree)

    def _blocks(self) -> Mapping[str, FileEntry]:
        return exported_blocks(self.export, self._session.store.manifest(self._origin_of_blocks))

    async def _read_blocks(self, names: Iterable[str]) -> Mapping[str, str]:
        texts = {name: self.export.block_texts.get(name) for name in names}
        kept = [name for name, text in texts.items() if text is None]
        stored = await asyncio.to_thread(self._session.store.read_blocks, self._origin_of_blocks, kept) if kept else {}
        return {name: stored[name] if text is None else text for name, text in texts.items()}

    async def _agree(self, process: Holder) -> str:
        """Ask the checks of the verifier's process; "" when they say the same as of the candidate."""
        again = await self._session.checklist.judge(process, self._session.decides)
        for here, there in zip(self._verdicts, again, strict=False):
            if here.ok != there.ok:
                return f'"{here.check.name}" {_said(here)} in the candidate and {_said(there)} in a fresh process'
        return ""


def _said(verdict: Verdict) -> str:
    return "passes" if verdict.ok else f"fails ({verdict.detail})"
