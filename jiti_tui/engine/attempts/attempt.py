"""One attempt: an outer evaluation, its repairs and its resumes, as one transaction on one checkpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from jiti_tui.engine.attempts.pauses import Pauses
from jiti_tui.engine.attempts.review import Review
from jiti_tui.engine.attempts.story import Story
from jiti_tui.engine.desk import Died
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.queries.inspection import inspect
from jiti_tui.engine.troubles import restore_world
from jiti_tui.errors import ForkFailed, WorkerError
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.messages import Dropped, Invalid, Paused, Repaired, Stale, Value
from jiti_tui.kernel.process import Worker
from jiti_tui.model.action import Abandon, Action, Evaluate, Inspect, Repair, Resume

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.engine.what_if.trials import Tried
    from jiti_tui.kernel.world import World as WorldProcess

T = TypeVar("T")


class Attempt:
    """`process` is the candidate, or the fresh world that a going back makes; None until there is one."""

    def __init__(self, session: Session, origin: str, rationale: str) -> None:
        self._session = session
        self.story = Story(origin, rationale)
        self._pauses = Pauses()
        self.process: Candidate | WorldProcess | None = None
        self.running = False
        """Evaluated code is running in the candidate."""
        self.choosing = False
        """It waits for what is to be done about its pause."""

    async def evaluate(self, action: Evaluate) -> None:
        """Try `action` on a fork of the world, up to its acceptance or its restoration."""
        session = self._session
        try:
            made = await session.workers.living_world.attempt(action.generation, session.attempts + 1)
        except ForkFailed as error:
            session.tell.restored(str(error))
            return
        if isinstance(made, Stale):
            self._stale(action, session.workers.living_world)
            return
        async with self._transaction(made):
            outcome = await self._running(
                made.evaluate(action.generation, action.forms, session.folder.limits.evaluate_seconds)
            )
            if isinstance(outcome, Stale):
                self._stale(action, made)
            elif isinstance(outcome, Invalid):
                session.tell.unreadable(outcome, counted=True)
            else:
                await self._evaluated(made, outcome)

    async def take(self, tried: Tried) -> None:
        """As `evaluate`, for a proposal that has been tried beside others: its evaluation is over already."""
        async with self._transaction(tried.candidate):
            await self._evaluated(tried.candidate, tried.outcome)

    async def interrupt(self) -> None:
        """Pause the running evaluation where it is, as the time limit would."""
        if self.running and isinstance(self.process, Candidate):
            await self.process.interrupt()

    def begin(self, process: Candidate | None) -> None:
        """The attempt is under way from here on."""
        session = self._session
        session.attempts += 1
        session.idle_answers = 0
        session.attempt = self
        if process is not None:
            self.hold(process)
        session.spending.attempt()
        session.board.enter(Phase.TRYING, attempt=session.attempts)
        session.journal.emit("attempt", number=session.attempts)

    def hold(self, process: Candidate | WorldProcess) -> None:
        """Let `process` be the attempt's, and its death be told."""
        self.process, worker = process, process.worker
        worker.died.add_done_callback(lambda _: self._session.desk.put(Died(worker)))

    async def end(self) -> None:
        """The attempt is over. Unless its process has become the world, that is as it was before."""
        session = self._session
        session.attempt = None
        await session.trials.drop(restore=False)
        process, self.process = self.process, None
        session.show_checks()
        session.board.show(pause=None, shown_frame=None, outcome=None)
        if process is not None and not session.workers.is_world(process.worker):
            process.kill("the attempt was dropped")
            await restore_world(session)
            await session.tell_generation()

    @asynccontextmanager
    async def _transaction(self, candidate: Candidate) -> AsyncIterator[None]:
        """Whatever happens inside, the world is the accepted one when it ends."""
        self.begin(candidate)
        try:
            yield
        except WorkerError as error:
            self._session.tell.restored(f"the candidate failed: {error}")
        finally:
            await self.end()

    async def _evaluated(self, candidate: Candidate, outcome: Value | Paused) -> None:
        self.story.steps.append("evaluate")
        await self._settle(candidate, outcome)

    async def _settle(self, candidate: Candidate, outcome: Value | Paused | Repaired) -> None:
        """Go through pauses to a value, and have it judged."""
        while isinstance(outcome, Paused):
            self._enter_pause(outcome)
            left = await self._leave_pause(candidate)
            if left is None:
                return
            outcome = left
        if isinstance(outcome, Repaired):
            raise WorkerError("The candidate says that a repair has ended where none was under way.")
        self._move_generation(outcome.generation, steps=0)
        self._session.board.show(pause=None)
        self.story.hear(outcome)
        self.story.steps.append("value")
        session = self._session
        session.journal.emit("value", value=outcome.value, output=self.story.text, warnings=list(self.story.warnings))
        session.tell.value(outcome.value, self.story.text, self.story.warnings)
        await Review(session, candidate, self.story).judge(outcome.value)

    def _enter_pause(self, paused: Paused) -> None:
        self._pauses.enter(paused)
        self.story.hear(paused)
        self.story.steps.append(paused.type)
        self._move_generation(paused.generation)
        self._session.journal.emit(
            "paused",
            level=paused.level,
            condition=paused.condition,
            type=paused.type,
            restarts=[{"id": r.id, "name": r.name, "report": r.report} for r in paused.restarts],
        )
        self._session.tell.proposer(f"Paused at level {paused.level}: {paused.type}: {paused.condition}")
        self._show_pause()

    def _show_pause(self) -> None:
        self._session.board.enter(Phase.PAUSED, pause=self._pauses.picture)

    def lives_in(self, worker: Worker) -> bool:
        """Whether `worker` is the attempt's process."""
        return self.process is not None and self.process.worker is worker

    @property
    def living_process(self) -> Candidate | WorldProcess:
        """The candidate's process. Raises WorkerError when there is none."""
        if self.process is None:
            raise WorkerError("The attempt has no process.")
        return self.process

    @property
    def paused(self) -> Paused | None:
        """The innermost pause."""
        return self._pauses.innermost

    async def _leave_pause(self, candidate: Candidate) -> Value | Paused | None:
        """Carry out actions until evaluation stops elsewhere: a value, another pause, or None when all is abandoned."""
        while True:
            self.choosing = True
            self._session.trials.try_again()
            action = (await self._session.chooser.paused(self)).action
            self.choosing = False
            if not isinstance(action, Inspect) and action.generation == self._session.generation:
                await self._session.trials.drop()  # what still runs must not slow the answer down
            if isinstance(action, Inspect):
                await inspect(self._session, candidate, action)
            elif isinstance(action, Repair):
                deeper = await self._repair(candidate, action)
                if deeper is not None:
                    return deeper
            elif isinstance(action, Resume) and (action.arguments or not self._pauses.abandons(action.restart)):
                outcome = await self._resume(candidate, action)
                if outcome is not None:
                    return outcome
            elif isinstance(action, Abandon | Resume) and await self._abandon(candidate, action):
                return None
            self._show_pause()

    async def _repair(self, candidate: Candidate, action: Repair) -> Paused | None:
        session = self._session
        outcome = await self._running(
            candidate.repair(action.generation, action.forms, session.folder.limits.evaluate_seconds)
        )
        if isinstance(outcome, Stale):
            self._stale(action, candidate)
        elif isinstance(outcome, Invalid):
            session.tell.unreadable(outcome)
        else:
            self.hold(candidate)
            self._pauses.save(self.story)
            self.story.steps.append("repair")
            if isinstance(outcome, Paused):
                return outcome
            self._repaired(outcome)
        return None

    async def _resume(self, candidate: Candidate, action: Resume) -> Value | Paused | None:
        session, seconds = self._session, self._session.folder.limits.evaluate_seconds
        reply = await candidate.resume(action.generation, action.restart, action.arguments, seconds)
        if isinstance(reply, Stale):
            self._stale(action, candidate)
            return None
        if isinstance(reply, Invalid):
            session.tell.unreadable(reply)
            return None
        if isinstance(reply, Dropped):
            self._drop_repair(action, reply)
            return None
        self._move_generation(reply.generation, phase=Phase.TRYING)
        self.story.steps.append(f"{reply.restart} {reply.name}")
        session.journal.emit("resumed", restart=reply.restart, name=reply.name, arguments=list(action.arguments))
        session.tell.proposer(f"Resumed by restart {reply.restart} {reply.name}.")
        outcome = await self._running(candidate.outcome())
        if isinstance(outcome, Repaired):
            self._pauses.leave()
            self._repaired(outcome)
            return None
        return outcome

    def _drop_repair(self, action: Resume, dropped: Dropped) -> None:
        """The candidate is back at the pause before its latest repair: so is what is known of it."""
        self.story = self._pauses.go_back()
        self._move_generation(dropped.generation, pause=self._pauses.picture)
        self.story.steps += ["repair", "drop-repair"]
        self._session.journal.emit("resumed", restart=action.restart, name="drop-repair", arguments=[])
        self._session.tell.proposer("The latest repair is dropped: the pause is what it was before it.")

    def _repaired(self, repaired: Repaired) -> None:
        self.story.hear(repaired)
        self._move_generation(repaired.generation)
        self._pauses.offer(repaired.restarts)
        self._session.journal.emit("repaired")
        self._session.tell.repaired(repaired)

    async def _abandon(self, candidate: Candidate, action: Abandon | Resume) -> bool:
        session = self._session
        reply = await candidate.abandon(action.generation)
        if isinstance(reply, Stale):
            self._stale(action, candidate)
            return False
        self._move_generation(reply.generation)
        session.journal.emit("abandoned", reason=action.rationale)
        session.tell.restored(f"abandoned: {action.rationale}" if action.rationale else "abandoned")
        return True

    def _move_generation(self, told: int, steps: int = 1, phase: Phase | None = None, **shown: Any) -> None:
        """Follow the candidate's generation. It runs a model's code: what it tells must be what it has to be.

        A new `phase` and what is `shown` come in the same picture: no key may act on the old one in this generation.
        """
        board = self._session.board
        expected = board.snapshot.generation + steps
        if told != expected:
            raise WorkerError(f"The candidate says generation {told} where {expected} comes.")
        board.enter(phase or board.snapshot.phase, generation=expected, shown_frame=None, **shown)

    def _stale(self, action: Action, process: Candidate | WorldProcess) -> None:
        """Tell that `process` refused `action` as stale. One that refuses the present generation is ended.

        Raises WorkerError for that.
        """
        generation = self._session.generation
        if action.generation == generation:
            process.kill()
            raise WorkerError(
                f"The {process.worker.role} calls generation {generation} stale, which is the present one."
            )
        self._session.tell.stale(action, generation)

    async def _running(self, evaluation: Awaitable[T]) -> T:
        self.running = True
        self._session.board.enter(Phase.TRYING)
        try:
            return await evaluation
        finally:
            self.running = False
