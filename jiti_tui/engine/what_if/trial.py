"""Carries out one trial in its process, and finds out what would come of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jiti_tui.engine.attempts.data_blocks import changed_data
from jiti_tui.engine.changes import definition_changes, file_changes
from jiti_tui.engine.checklist import broken, goals_met
from jiti_tui.engine.deciding.restart_after_repair import restart_after_repair
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import NotReconstructible
from jiti_tui.kernel.messages import Invalid, Paused, Repaired, Resumed, Stale, Value

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session
    from jiti_tui.kernel.candidate import Candidate

Outcome = Value | Paused | Repaired | Invalid | Stale

TIME_LIMIT = "JITI:TIME-LIMIT"
"""The type of the condition at which an evaluation pauses whose time is over."""


async def take_restart(session: Session, row: TrialRow, trial: Candidate) -> Outcome:
    """Let `trial`, a fork of a paused candidate, make the repair of `row` and take its restart, where there are any.

    Returns the outcome; of a repair that pauses, the condition at which it does.
    """
    generation, seconds = session.generation, session.folder.limits.evaluate_seconds
    if row.forms:
        repaired = await trial.repair(generation, row.forms, seconds)
        if not isinstance(repaired, Repaired) or not row.restart:
            return repaired
        generation = repaired.generation
    reply = await trial.resume(generation, row.restart, row.arguments, seconds)
    if isinstance(reply, Resumed):
        return await trial.outcome()
    if isinstance(reply, Invalid | Stale):
        return reply
    return Invalid("It leads nowhere but back.", 0, 0)


async def followed(session: Session, row: TrialRow, trial: Candidate, outcome: Outcome) -> tuple[TrialRow, Outcome]:
    """Go on after a restart that leads back to an outer level, where a restart without a value does.

    Returns the row with what was taken on the way, and the outcome in the end.
    """
    try:
        while isinstance(outcome, Repaired) and (restart := restart_after_repair(outcome.restarts)):
            reply = await trial.resume(outcome.generation, restart, (), session.folder.limits.evaluate_seconds)
            if not isinstance(reply, Resumed):
                break
            end = await trial.outcome()
            row, outcome = replace(row, then=(*row.then, restart)), end
    except WorkerError:
        # It is known all the same where the restart itself leads.
        return row, outcome
    return row, outcome


async def evaluate(session: Session, row: TrialRow, candidate: Candidate) -> Outcome:
    """Let `candidate` evaluate the forms of `row`."""
    return await candidate.evaluate(session.generation, row.forms, session.folder.limits.evaluate_seconds)


async def judged(session: Session, row: TrialRow, process: Candidate, outcome: Outcome) -> TrialRow:
    """`row` with what `outcome`, that of the trial in `process`, would lead to."""
    match outcome:
        case Value():
            return await _value(session, row, process, outcome)
        case Paused():
            state = TrialState.TIMED_OUT if outcome.type == TIME_LIMIT else TrialState.PAUSED
            said = replace(row, output=outcome.output, warnings=outcome.warnings)
            return replace(said, state=state, type=outcome.type, text=outcome.condition)
        case Repaired():
            said = replace(row, output=outcome.output, warnings=outcome.warnings)
            return replace(said, state=TrialState.PAUSED, text="The repair returns, and the pause under it goes on.")
        case Invalid():
            return replace(row, state=TrialState.FAILED, text=outcome.reason)
        case Stale():
            return replace(row, state=TrialState.FAILED, text="The world has moved on.")


async def _value(session: Session, row: TrialRow, process: Candidate, value: Value) -> TrialRow:
    decides = session.decides
    verdicts = await session.checklist.run(process, decides)
    async with throwaway(process) as runner:
        export = await runner.export()
    said = replace(
        row,
        output=value.output,
        warnings=value.warnings,
        broken=tuple(verdict.check.name for verdict in broken(verdicts, decides)),
        goals=goals_met(verdicts, decides),
        checks=session.checklist.rows(decides, verdicts),
    )
    if isinstance(export, NotReconstructible):
        return replace(said, state=TrialState.FAILED, text=f"It cannot be written down: {export.reason}")
    return replace(
        said,
        state=TrialState.VALUE,
        text=value.value,
        definitions=definition_changes(session.export, export),
        data=(*await changed_data(session, export, session.revision), *file_changes(session.export, export)),
    )
