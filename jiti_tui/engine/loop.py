"""The loop: observe, propose, try, accept or restore, again; request after request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.accepted_world import mend
from jiti_tui.engine.attempts.attempt import Attempt
from jiti_tui.engine.attempts.go_back import go_back
from jiti_tui.engine.deciding.choice import OPERATOR, Choice, Errand
from jiti_tui.engine.ending import Ending, SessionOver
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.engine.queries.inspection import inspect
from jiti_tui.engine.troubles import tell_troubles
from jiti_tui.errors import Exit, WorkerError
from jiti_tui.model.action import Evaluate, Finish, GoBack, Inspect

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def work(session: Session) -> None:
    """Work until SessionOver ends it, or the task is cancelled."""
    while True:
        await mend(session)
        tell_troubles(session)
        try:
            await _settle_request(session)
            choice = await session.chooser.idle()
        except WorkerError as error:
            session.stop_asking(Ending(Exit.WORKER, str(error)))
            continue
        try:
            if isinstance(choice, commands.TakeTrial):
                await _take_trial(session, choice.number)
            elif isinstance(choice, Choice):
                await _carry_out(session, choice)
            else:
                await _run_errand(session, choice)
        except WorkerError as error:
            session.tell.restored(f"the world's process failed: {error}")


async def _carry_out(session: Session, choice: Choice) -> None:
    action = choice.action
    if isinstance(action, Evaluate):
        tried = await session.trials.take(choice.trial) if choice.trial is not None else None
        if tried is not None:
            await Attempt(session, choice.origin, action.rationale).take(tried)
            return
        await session.trials.drop()
        await Attempt(session, choice.origin, action.rationale).evaluate(action)
    elif isinstance(action, Inspect):
        await inspect(session, session.workers.living_world, action)
    elif isinstance(action, Finish):
        _finish(session)
    elif isinstance(action, GoBack):
        await session.trials.drop()
        await _go_back(session, action.revision, choice.origin, action.rationale)


async def _go_back(session: Session, revision: int, origin: str = OPERATOR, rationale: str = "") -> None:
    position = session.agenda.position
    await go_back(session, revision, origin, rationale)
    if session.agenda.position != position:
        await _begin_request(session)


async def _take_trial(session: Session, number: int) -> None:
    tried = await session.trials.take(number)
    if tried is None:
        session.board.notice("That trial has led to nothing that could be taken.")
        return
    said = session.journal.log.said(tried.forms)
    origin, rationale = (said.origin, said.rationale) if said is not None else (OPERATOR, "")
    action = Evaluate(generation=session.generation, forms=tried.forms, rationale=rationale)
    session.journal.emit("proposal", action=action.model_dump(mode="json"), origin=origin)
    await Attempt(session, origin, rationale).take(tried)


async def _run_errand(session: Session, errand: Errand) -> None:
    await session.trials.drop()
    match errand:
        case commands.GoBack():
            action = {"kind": "go-back", "revision": errand.revision, "generation": session.generation}
            session.journal.emit("proposal", action=action, origin=OPERATOR)
            live = session.revision
            await _go_back(session, errand.revision)
            if session.revision != live:
                # Who goes back does not want the way that led away from there to be taken again at once.
                session.board.show(held=True)
        case commands.NextRequest():
            if not session.started and not session.is_met:
                session.go()
            elif session.agenda.upcoming is not None:
                session.go()
                session.agenda.advance()
                await _begin_request(session)
            else:
                session.board.notice("There is no further request: i writes one.")
        case commands.AddRequest():
            session.agenda.insert(errand.text, begun=session.started or session.is_met or session.begun_before)
            session.go()
            await _begin_request(session)


async def _settle_request(session: Session) -> None:
    """Say what became of the current request; go on to the next one where nobody has to be asked."""
    if session.is_met:
        _say_met(session)
    while session.later:
        session.agenda.insert(session.later.pop(0), begun=True)
        await _begin_request(session)
    session.met_said = session.met_said and session.is_met
    while session.is_met:
        _say_met(session)
        if session.agenda.upcoming is None:
            break
        if session.board.snapshot.mode is not Mode.AUTO or session.board.snapshot.held:
            return
        session.agenda.advance()
        await _begin_request(session)
    if session.is_met or session.agenda.current is None:
        if session.options.headless and not session.board.snapshot.held:
            raise SessionOver(Ending(Exit.DONE))
        return
    if not session.request_said:
        if _is_another(session):
            await _begin_request(session)
        else:
            _say_request(session)


def _is_another(session: Session) -> bool:
    """Whether the first request of the command line comes after the one that the accepted revision was made for."""
    current, accepted = session.agenda.current, session.store.current
    given = session.begun_before and session.options.requests
    return bool(given and current and accepted and current.text != accepted.request)


async def _begin_request(session: Session) -> None:
    """The current request is another one: one generation on, with the checks that decide now."""
    session.met_said = session.finished = False
    await session.asker.cancel()  # its view is of the last request, which pays for it
    session.spending.begin_request()
    session.judgement.forgive()
    await session.move_generation()
    _say_request(session)
    await session.check_world()


def _say_request(session: Session) -> None:
    request = session.agenda.row()
    session.request_said = True
    if request is not None:
        session.journal.emit("request", text=request.text, number=request.number)


def _say_met(session: Session) -> None:
    if not session.met_said:
        session.met_said = True
        session.journal.emit("goals-met", request=session.agenda.number)


def _finish(session: Session) -> None:
    """The proposer says that the request is done: so it is when no goal speaks for or against it."""
    if session.decides.goals:
        unmet = [row.name for row in session.board.snapshot.checks if row.decides and row.kind == "goal" and not row.ok]
        session.tell.invalid(f"The request is not finished; not met: {', '.join(unmet)}.")
        return
    session.journal.mark(Fate.TAKEN)
    session.finished = True
