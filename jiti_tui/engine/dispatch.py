"""Takes in commands as they arrive: what concerns the work under way is done at once, the rest waits its turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from jiti_tui.engine.follower import ONLY_READS
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.queries.inspection import look, show_frame
from jiti_tui.engine.queries.look_back import look_back
from jiti_tui.errors import UsageError
from jiti_tui.world.requests import typed_request

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


def dispatch(session: Session, command: commands.Command) -> None:
    """Take in a command, in the engine's thread."""
    match command:
        case commands.Quit():
            session.quit()
        case commands.Look():
            session.questions.answer(look(session, command.expression, command.frame))
        case commands.StopLooking():
            session.questions.stop()
            session.trials.stop()
        case commands.ReadCheck() | commands.Complete():
            session.spawn(session.typing_help.answer(command))
        case commands.ShowRevision() | commands.Compare() | commands.TraceCheck():
            session.questions.answer(look_back(session, command))
        case commands.ExportRevision():
            session.spawn(look_back(session, command))
        case commands.ShowFrame():
            if session.desk.is_current(command):
                session.spawn(show_frame(session, command.index))
        case _ if session.reads_only:
            session.board.notice(ONLY_READS)
        case commands.Stop():
            _stop(session)
        case commands.WhatIf() | commands.WhatIfAll() | commands.TryProposals():
            if session.desk.is_current(command):
                session.trials.receive(command)
        case commands.SetMode():
            session.board.show(mode=command.mode)
            session.desk.put(command)
        case commands.Hold():
            session.board.show(held=True)
            session.desk.put(command)
        case commands.Go():
            session.go()
            session.desk.put(command)
        case commands.AddRequest():
            _take_request(session, command)
        case _:
            session.desk.put(command)


def _take_request(session: Session, command: commands.AddRequest) -> None:
    try:
        typed_request(command.text)
    except UsageError as error:
        session.board.notice(str(error), Severity.ERROR)
    else:
        session.desk.put(command)


def _stop(session: Session) -> None:
    """Cut short what runs, and hold."""
    session.board.show(held=True)
    if session.attempt is not None and session.attempt.running:
        session.spawn(session.attempt.interrupt())
    elif session.asker.calling:
        session.spawn(_stop_call(session))
    elif session.attempt is None or session.trials.weighs:
        session.spawn(session.trials.drop())


async def _stop_call(session: Session) -> None:
    seconds = time.monotonic() - session.board.snapshot.since
    if await session.asker.cancel():
        session.board.notice(f"Stopped the proposer after {seconds:.0f} s. p asks again.")
        session.desk.put(commands.Hold())
