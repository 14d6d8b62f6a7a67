"""Looks at a world without touching it: `inspect` for the proposer, `:` for the operator."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from jiti_tui.engine.interface.query_results import LocalRow, Looked, ShownFrame
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Inspected, Invalid, Signalled
from jiti_tui.model.action import Inspect

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def inspect(session: Session, process: Holder | Candidate, action: Inspect) -> None:
    """Evaluate the proposer's expression in a throwaway fork of `process` and tell it the answer."""
    answer = await _ask(session, process, action.expression)
    if isinstance(answer, Invalid):
        session.tell.unreadable(answer)
        return
    text = _text(answer)
    session.journal.emit("inspected", value=text)
    session.tell.inspected(action.expression, text, answer.output)


async def look(session: Session, expression: str, frame: int | None = None) -> None:
    """Evaluate the operator's expression in a throwaway fork of what is on screen, and show the answer as `looked`.

    In a `frame` of the pause, if its index is given, with the variables that it has there. While an evaluation runs its
    process is busy: then the accepted world answers.
    """
    since = time.monotonic()
    try:
        answer = await _ask(session, process_on_screen(session), expression, frame)
    except WorkerError as error:
        answer = Signalled(str(error), "")
    except asyncio.CancelledError:
        _show(session, expression, Signalled(f"nothing: stopped after {time.monotonic() - since:.0f} s.", ""))
        raise
    _show(session, expression, answer)


def _show(session: Session, expression: str, answer: Inspected | Signalled | Invalid) -> None:
    previous = session.board.snapshot.looked
    session.board.show(
        looked=Looked(
            (previous.number if previous else 0) + 1,
            expression,
            isinstance(answer, Inspected),
            _text(answer),
            "" if isinstance(answer, Invalid) else answer.output,
        )
    )


def process_on_screen(session: Session) -> Holder | Candidate:
    """Return what the operator looks at: the candidate, or the accepted world where that runs or there is none."""
    attempt = session.attempt
    idle = attempt is None or attempt.running or attempt.process is None
    return session.workers.living_world if attempt is None or idle else attempt.living_process


async def show_frame(session: Session, index: int) -> None:
    """Show the frame at `index` of the pause as `shown_frame`."""
    attempt, generation = session.attempt, session.generation
    if attempt is None or not attempt.choosing:
        session.board.notice("Nothing is paused: there is no stack to be shown.")
        return
    try:
        async with throwaway(attempt.living_process) as runner:
            framed = await runner.frame(index, session.folder.limits.evaluate_seconds)
    except WorkerError as error:
        session.board.notice(str(error), Severity.ERROR)
        return
    if isinstance(framed, Invalid):
        session.board.notice(framed.reason, Severity.ERROR)
    elif session.generation == generation:
        session.board.show(
            shown_frame=ShownFrame(
                generation,
                index,
                framed.frame.call,
                framed.frame.place,
                framed.frame.line,
                framed.text,
                framed.first,
                tuple(LocalRow(local.name, local.value) for local in framed.locals),
            )
        )


async def _ask(
    session: Session, process: Holder | Candidate, expression: str, frame: int | None = None
) -> Inspected | Signalled | Invalid:
    async with throwaway(process) as runner:
        return await runner.inspect(expression, session.folder.limits.evaluate_seconds, frame)


def _text(answer: Inspected | Signalled | Invalid) -> str:
    match answer:
        case Inspected():
            return answer.value
        case Signalled():
            return f"{answer.type}: {answer.condition}" if answer.type else answer.condition
        case Invalid():
            return answer.reason
