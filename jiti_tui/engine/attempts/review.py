"""From a value to the next revision, or to the restored world: checks, consent, publication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jiti_tui.engine.attempts.accept import accept
from jiti_tui.engine.attempts.data_blocks import changed_data, same_data, without_unchanged
from jiti_tui.engine.attempts.publication import Publication
from jiti_tui.engine.attempts.story import Story
from jiti_tui.engine.changes import definition_changes, file_changes, summary
from jiti_tui.engine.checklist import Verdict, as_records, first_broken
from jiti_tui.engine.desk import Died, FilesChanged, Item, Prepared
from jiti_tui.engine.ending import Ending, SessionOver
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import CheckKind, Fate, Outcome, Severity
from jiti_tui.errors import Exit, StoreError, StoreUncertain, WorkerDied
from jiti_tui.kernel.exports import NotReconstructible

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.kernel.candidate import Candidate
    from jiti_tui.kernel.world import World as WorldProcess


class Review:
    """Judges one candidate. Whatever is not accepted is restored, and the cause is told to everybody.

    `origin` is the revision that `process` came from; None for the accepted one.
    """

    def __init__(
        self, session: Session, process: Candidate | WorldProcess, story: Story, origin: int | None = None
    ) -> None:
        self._session = session
        self._origin = session.revision if origin is None else origin
        self._process = process
        self._story = story
        self._verdicts: Sequence[Verdict] = ()
        self._accepted = False
        """The operator has consented to the outcome as it stands."""

    async def judge(self, value: str) -> None:
        """Check what `value` was the value of, wait for verifier and consent, and publish; or restore."""
        session = self._session
        session.board.enter(Phase.CHECKING)
        if not await self._check():
            return
        export = await self._process.export()
        if isinstance(export, NotReconstructible):
            place = f" ({export.path})" if export.path else ""
            session.tell.restored(f"it cannot be written down: {export.reason}{place}")
            return
        before, origin = session.export, self._origin
        export = await without_unchanged(session, export, origin)
        same = (export.definitions, export.files) == (before.definitions, before.files)
        if same and await same_data(session, export, origin):
            session.tell.restored("no change")
            return
        definitions = definition_changes(before, export)
        data = (*await changed_data(session, export, origin), *file_changes(before, export))
        outcome = Outcome(
            revision=session.revision + 1,
            value=value,
            output=self._story.text,
            warnings=tuple(self._story.warnings),
            definitions=definitions,
            data=data,
            steps=tuple(self._story.steps),
            rationale=self._story.rationale,
        )
        session.board.enter(Phase.READY, outcome=outcome)
        session.journal.mark(Fate.READY)
        publication = Publication(session, export, origin, summary(definitions, data), self._story.origin)
        await publication.prepare(self._verdicts)
        try:
            await self._to_an_end(publication)
        finally:
            await publication.drop()

    async def _check(self) -> bool:
        """Ask the checks about the candidate; False when an invariant broke and the world was restored."""
        session, decides = self._session, self._session.decides
        self._verdicts = await session.checklist.judge(self._process, decides)
        session.journal.emit(
            "checked",
            invariants=as_records(self._verdicts, CheckKind.INVARIANT, decides.invariants),
            goals=as_records(self._verdicts, CheckKind.GOAL, decides.goals),
        )
        session.show_checks(self._verdicts)
        broken = first_broken(self._verdicts, decides)
        if broken is not None:
            session.tell.restored(f'invariant "{broken.check.name}" broke: {broken.detail}')
            return False
        for verdict in self._verdicts:
            if not verdict.ok and verdict.check.kind is CheckKind.GOAL and verdict.check.name in decides.goals:
                session.tell.proposer(f'Goal "{verdict.check.name}" is not met: {verdict.detail}')
        return True

    async def _to_an_end(self, publication: Publication) -> None:
        """Wait for the verifier and for consent, in whichever order they come; then publish."""
        session = self._session
        while True:
            if publication.prepared and (self._accepted or session.board.snapshot.mode is Mode.AUTO):
                if await self._publish(publication):
                    return
                self._accepted = False
            item = await session.desk.take()
            match item:
                case commands.Accept():
                    self._accepted = True
                    if not (publication.prepared or publication.preparing):
                        await self._prepare(publication)
                    if not publication.prepared:
                        session.board.notice("The verifier is still at work; the outcome is published once it agrees.")
                case commands.Reject():
                    reason = f"rejected: {item.reason}" if item.reason else "rejected"
                    session.tell.restored(reason, rejected=True)
                    return
                case commands.Evaluate():
                    session.tell.restored("the operator tries it again with changes", rejected=True)
                    session.chooser.prefer(item.forms)
                    return
                case Died() if item.process is self._process.worker:
                    raise WorkerDied("its process ended while it waited for consent")
                case Prepared() | FilesChanged():
                    if not await self._goes_on(item, publication):
                        return
                case _:
                    await session.attend(item)

    async def _goes_on(self, item: Item, publication: Publication) -> bool:
        """Take in news about a waiting outcome; False when they end it."""
        session = self._session
        if isinstance(item, Prepared):
            if not publication.awaits(item):
                return True
            if item.wrong:
                session.tell.restored(f"the verifier refuses it: {item.wrong}")
                return False
            if isinstance(item.error, StoreError):
                self._accepted = False
                stays = self._failed(item.error)
                if stays:
                    self._show_verified(False)
                return stays
            if item.error is not None:
                raise item.error
            self._show_verified(True)
            return True
        if await session.reload_checks():
            self._accepted = False
            if not await self._check():
                return False
            await self._prepare(publication)
        return True

    async def _prepare(self, publication: Publication) -> None:
        """Have the outcome staged and verified once more."""
        await publication.prepare(self._verdicts)
        self._show_verified(None)

    def _show_verified(self, verified: bool | None) -> None:
        board = self._session.board
        if board.snapshot.outcome is not None:
            board.show(outcome=replace(board.snapshot.outcome, verified=verified))

    async def _publish(self, publication: Publication) -> bool:
        """Publish and accept; False when the store failed and the outcome waits for another consent."""
        session = self._session
        session.board.enter(Phase.PUBLISHING)
        try:
            manifest = await publication.publish()
        except StoreUncertain as error:
            session.journal.emit("error", family="store", reason=str(error))
            raise SessionOver(Ending(Exit.WORKER, str(error))) from error
        except StoreError as error:
            if not self._failed(error):
                return True
            session.board.enter(Phase.READY)
            await self._prepare(publication)
            return False
        session.journal.emit("published", revision=manifest.revision, id=manifest.id)
        await accept(session, self._process, publication.export, manifest, self._verdicts)
        return True

    def _failed(self, error: StoreError) -> bool:
        """Say that the store failed; True when the outcome stays, for another consent of an operator who is there to
        give it.
        """
        session = self._session
        session.journal.emit("error", family="store", reason=str(error))
        session.board.notice(str(error), Severity.ERROR)
        if session.board.snapshot.mode is Mode.AUTO or session.options.headless:
            session.tell.restored("it could not be published")
            session.stop_asking(Ending(Exit.WORKER, str(error)))
            return False
        return True
