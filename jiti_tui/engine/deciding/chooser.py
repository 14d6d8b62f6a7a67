"""Chooses the next action: the operator's, or the proposer's where the mode lets it pass.

Idle and paused work alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.deciding.best_answer import best_answer
from jiti_tui.engine.deciding.choice import OPERATOR, Choice, Errand
from jiti_tui.engine.deciding.make_view import make_view
from jiti_tui.engine.deciding.may_ask import may_ask
from jiti_tui.engine.deciding.suggestion import Suggestion
from jiti_tui.engine.desk import Answered, Died, Item
from jiti_tui.engine.ending import Ending, SessionOver
from jiti_tui.engine.idle_phase import idle_phase
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.proposals import action_record, cost_record
from jiti_tui.errors import Exit, ProposerError, TranscriptEnded, WorkerDied
from jiti_tui.model.action import Abandon, Action, Evaluate, Finish, GoBack, Inspect, Repair, Resume
from jiti_tui.model.proposer import Answer
from jiti_tui.model.view import LEGAL_IDLE, LEGAL_IN_TRANSCRIPTS, LEGAL_PAUSED

if TYPE_CHECKING:
    from jiti_tui.engine.attempts.attempt import Attempt
    from jiti_tui.engine.session import Session

OTHERWISE = "the operator chose otherwise"
"""Why a suggestion is dropped when the operator does something of his own."""


class Chooser:
    """Waits for the operator and the proposer, whoever comes first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._suggestion = Suggestion(session.board, session.journal, session.tell)
        self._kept: Answered | None = None
        self._preferred = ""

    def prefer(self, forms: str) -> None:
        """Let the operator's `forms` be evaluated next, before anything else is chosen."""
        self._preferred = forms

    def keep(self, answered: Answered) -> None:
        """Keep an answer that came while an outcome waits for consent; it is heard when that is decided."""
        self._kept = answered

    async def idle(self) -> Choice | Errand:
        """Wait for what an idle session is to do next.

        Raises SessionOver when a headless one has nothing left to do.
        """
        return await self._choose(None)

    async def paused(self, attempt: Attempt) -> Choice:
        """Wait for what is to be done about the pause of `attempt`. Raises WorkerDied when its candidate dies."""
        while True:
            choice = await self._choose(attempt)
            if isinstance(choice, Choice):
                return choice

    async def _choose(self, attempt: Attempt | None) -> Choice | Errand:
        session = self._session
        while True:
            ready = self._ready(attempt)
            if ready is not None:
                return ready
            if self._suggestion.choice is None and may_ask(session, attempt):
                session.asker.ask(await make_view(session, attempt))
            elif session.stopping is not None and session.options.headless:
                # `may_ask` has stopped the session just now: `_ready` ends it.
                continue
            if attempt is None:
                session.board.enter(Phase.ASKS if self._suggestion.choice is not None else idle_phase(session))
            kept, self._kept = self._kept, None
            item = kept or await session.desk.take()
            chosen = await self._consider(item, attempt)
            if chosen is not None:
                return chosen

    def _ready(self, attempt: Attempt | None) -> Choice | None:
        """What needs no waiting: forms that the operator prefers, a suggestion that the mode lets pass, the end of a
        headless session.
        """
        session, suggestion = self._session, self._suggestion.choice
        if self._preferred and attempt is None:
            forms, self._preferred = self._preferred, ""
            return self._by_operator(Evaluate(generation=session.generation, forms=forms))
        if suggestion is not None and self._is_stale(suggestion.action):
            self._suggestion.take()
            left = self._leave_stale(suggestion)
            if left is not None:
                return left
        elif suggestion is not None and self._passes(suggestion, attempt):
            return self._suggestion.take()
        if session.stopping is not None and session.options.headless:
            if attempt is not None:
                return Choice(Abandon(generation=session.generation, rationale=session.stopping.sentence), OPERATOR)
            session.journal.emit("stopped", reason=session.stopping.sentence)
            raise SessionOver(session.stopping)
        return None

    async def _consider(self, item: Item, attempt: Attempt | None) -> Choice | Errand | None:
        session = self._session
        match item:
            case Answered():
                return await self._heard(item, attempt)
            case Died() if attempt is not None and attempt.lives_in(item.process):
                self._suggestion.take()  # it was about the pause, which is gone
                raise WorkerDied("its process ended while it was paused")
            case commands.TakeSuggestion() if self._suggestion.choice is not None:
                return self._suggestion.take()
            case commands.Reject() if self._suggestion.choice is not None:
                self._suggestion.reject(item.reason)
                if attempt is None:
                    await session.trials.drop()
            case commands.Evaluate() if attempt is None:
                return self._by_operator(Evaluate(generation=item.painted.generation, forms=item.forms))
            case commands.Repair() if attempt is not None:
                return self._by_operator(Repair(generation=item.painted.generation, forms=item.forms))
            case commands.Resume() if attempt is not None:
                return self._by_operator(
                    Resume(generation=item.painted.generation, restart=item.restart, arguments=item.arguments)
                )
            case commands.Abandon() if attempt is not None:
                return self._by_operator(Abandon(generation=item.painted.generation, rationale=item.reason))
            case commands.TakeTrial() if attempt is not None:
                return self._take_tried(item.number)
            case commands.GoBack() | commands.NextRequest() | commands.AddRequest() | commands.TakeTrial() if (
                attempt is None
            ):
                self._suggestion.reject(OTHERWISE)
                return item
            case commands.GoBack() | commands.NextRequest() | commands.Evaluate():
                session.board.notice("An attempt is paused: resume, repair or abandon it first.")
            case _:
                await session.attend(item)
        return None

    async def _heard(self, answered: Answered, attempt: Attempt | None) -> Choice | None:
        """Take in what the proposer's calls have ended with; of several answers the best counts."""
        session = self._session
        given = [answer for answer in (answered.answer, *answered.others) if answer is not None]
        for answer in given:
            session.spending.call(answer.tokens, answer.money)
        if len(given) < 2:
            return self._hear(answered, attempt)
        weighed = await best_answer(session, given, attempt)
        if weighed is None:
            session.asker.heard()
            return None
        return self._hear(Answered(weighed[0]), attempt, weighed[1])

    def _hear(self, answered: Answered, attempt: Attempt | None, trial: int | None = None) -> Choice | None:
        """Take in the proposer's answer: an action that may run now, or None."""
        session = self._session
        session.asker.heard()
        if answered.answer is None:
            if answered.error is not None:
                self._failed(answered.error)
            return None
        answer, proposer = answered.answer, session.asker.proposer
        origin = proposer.name if proposer is not None else ""
        self._note(answer, origin)
        idle = LEGAL_IDLE if answer.transcript_line is None else LEGAL_IN_TRANSCRIPTS
        legal = idle if attempt is None else LEGAL_PAUSED
        action = answer.action
        if action is None:
            session.tell.invalid(answer.invalid)
        elif self._is_stale(action) and action.kind not in legal:
            session.tell.stale(action, session.generation)
        elif action.kind not in legal:
            state = "no attempt is paused" if attempt is None else "an attempt is paused"
            session.tell.invalid(f"{action.kind} is not possible while {state}; possible: {', '.join(sorted(legal))}.")
        elif self._is_stale(action):
            return self._leave_stale(Choice(action, origin))
        elif again := session.judgement.repeats(session.asker.view, action):
            session.tell.invalid(again)
        elif self._passes(choice := Choice(action, origin, trial), attempt):
            return choice
        else:
            self._suggestion.put(choice)
        return None

    def _note(self, answer: Answer, origin: str) -> None:
        """Keep what an answer says, whatever becomes of it."""
        session = self._session
        session.idle_answers += 1
        if answer.transcript_line is not None:
            session.transcript_line = answer.transcript_line
        session.journal.emit(
            "proposal",
            action=action_record(answer),
            origin=origin,
            view=session.asker.view_digest,
            **cost_record(answer),
        )

    def _failed(self, error: ProposerError) -> None:
        session = self._session
        ended = isinstance(error, TranscriptEnded)
        if not ended:
            session.journal.emit("error", family=error.family, reason=str(error))
        session.stop_asking(Ending(Exit.UNMET if ended else Exit.PROPOSER, str(error)))

    def _by_operator(self, action: Action) -> Choice:
        """The operator's own action comes before whatever was suggested."""
        self._suggestion.reject(OTHERWISE)
        self._session.journal.emit("proposal", action=action.model_dump(mode="json"), origin=OPERATOR)
        return Choice(action, OPERATOR)

    def _take_tried(self, number: int) -> Choice | None:
        """The operator takes another of the proposer's answers to the pause."""
        session = self._session
        row = next((row for row in session.trials.rows if row.number == number and row.answer), None)
        if row is None:
            session.board.notice("That answer is no longer there to be taken.")
            return None
        said = session.journal.log.said(row.body)
        why, now = said.rationale if said is not None else "", session.generation
        action = (
            Repair(generation=now, rationale=why, forms=row.forms)
            if row.forms
            else Resume(generation=now, rationale=why, restart=row.restart, arguments=row.arguments)
        )
        self._suggestion.reject(OTHERWISE)
        origin = said.origin if said is not None else OPERATOR
        session.journal.emit("proposal", action=action.model_dump(mode="json"), origin=origin)
        return Choice(action, origin)

    def _is_stale(self, action: Action) -> bool:
        """Whether `action` answers another view than the present one."""
        return action.generation != self._session.generation

    def _leave_stale(self, choice: Choice) -> Choice | None:
        """Leave it to the worker to refuse a stale choice; refuse it here where no worker checks generations."""
        if not isinstance(choice.action, Inspect | Finish | GoBack):
            return choice
        self._session.tell.stale(choice.action, self._session.generation)
        return None

    def _passes(self, choice: Choice, attempt: Attempt | None) -> bool:
        """Whether the mode lets the proposer's action run without the operator."""
        mode, action = self._session.board.snapshot.mode, choice.action
        if isinstance(action, Finish) and self._session.decides.goals:
            return True
        if mode is Mode.REVIEW:
            # Among several answers that were tried the operator picks.
            tries = isinstance(action, Evaluate | GoBack) and attempt is None and choice.trial is None
            return tries or isinstance(action, Inspect)
        # A pause that the operator holds is his: the answer waits for him.
        return mode is Mode.AUTO and not (attempt is not None and self._session.board.snapshot.held)
