"""Of several answers to one view, the best: each is tried in a fork of its own, beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jiti_tui.engine.deciding.judgement import essence
from jiti_tui.engine.deciding.restart_after_repair import KERNEL_RESTARTS
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.proposals import action_record, cost_record
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.model.action import Action, Evaluate, Repair, Resume
from jiti_tui.model.proposer import Answer

if TYPE_CHECKING:
    from jiti_tui.engine.attempts.attempt import Attempt
    from jiti_tui.engine.session import Session


async def best_answer(
    session: Session, answers: Sequence[Answer], attempt: Attempt | None
) -> tuple[Answer, int | None] | None:
    """Try `answers`, given to the idle world or to the pause of `attempt`, and return the best one.

    With it comes the number of its trial, whose process can go on as the attempt; None for an answer that was not
    tried, and for one to a pause, where the paused process itself goes on. Returns None if the trials were stopped.

    An answer that does not read, breaks an invariant or cannot be written down drops out. The others are ranked by the
    goals that they meet, then by the size of their change; what cannot be tried, such as `inspect`, comes last.
    """
    actions = [answer.action if _is_current(session, answer) else None for answer in answers]
    tried: dict[str, int] = {}
    untried: list[int] = []
    causes: dict[int, str] = {}
    for index, action in enumerate(actions):
        if action is None:
            continue
        if not _tryable(action, attempt):
            untried.append(index)
        elif tried.setdefault(essence(action), index) != index:
            causes[index] = "another is the same"
    if len(tried) < 2:
        best = next(iter([*tried.values(), *untried]), 0)
        _lose(session, answers, best, causes, "another was chosen")
        return answers[best], None
    rows = await _tried(session, [actions[index] for index in tried.values()], attempt)
    if len(rows) != len(tried):
        return None
    ranked = sorted(zip(rows, tried.values(), strict=True), key=lambda pair: pair[0].rank)
    row, best = ranked[0]
    if untried and not row.stands:
        best = untried[0]
    causes |= {index: _cause(lost) for lost, index in reversed(ranked)}
    _lose(session, answers, best, causes, "others were tried")
    return answers[best], row.number if attempt is None and row.stands else None


def _is_current(session: Session, answer: Answer) -> bool:
    return answer.action is not None and answer.action.generation == session.generation


def _tryable(action: Action, attempt: Attempt | None) -> bool:
    if attempt is None:
        return isinstance(action, Evaluate)
    if isinstance(action, Resume):
        menu = attempt.paused.restarts if attempt.paused is not None else ()
        return not any(row.id == action.restart and row.name in KERNEL_RESTARTS for row in menu)
    return isinstance(action, Repair)


async def _tried(session: Session, actions: Sequence[Action | None], attempt: Attempt | None) -> list[TrialRow]:
    """The rows of what was tried, in this order; fewer where the trials were stopped."""
    trials = session.trials
    if attempt is None:
        session.board.enter(Phase.TRYING)
        await trials.drop()
        trials.try_proposals([action.forms for action in actions if isinstance(action, Evaluate)])
        return list(await trials.ended())
    numbers = [trials.try_answer(action) for action in actions if isinstance(action, Repair | Resume)]
    rows = {row.number: row for row in await trials.ended()}
    return [rows[number] for number in numbers if number in rows]


def _cause(row: TrialRow) -> str:
    """Why it was not the best."""
    if row.broken:
        return f'invariant "{row.broken[0]}" broke'
    return "another was better" if row.stands else row.text


def _lose(session: Session, answers: Sequence[Answer], best: int, causes: dict[int, str], otherwise: str) -> None:
    """Keep what the other answers say, those with a cause of their own last."""
    for index in [*(index for index in range(len(answers)) if index not in causes), *causes]:
        if index != best:
            _lost(session, answers[index], answers[index].invalid or causes.get(index, otherwise))


def _lost(session: Session, answer: Answer, reason: str) -> None:
    """Keep what an answer says that is not followed."""
    session.journal.emit(
        "proposal",
        action=action_record(answer),
        origin=session.asker.proposer.name if session.asker.proposer is not None else "",
        view=session.asker.view_digest,
        **cost_record(answer),
    )
    session.journal.mark(Fate.INVALID if answer.action is None else Fate.REJECTED, reason)
    action = answer.action
    if isinstance(action, Evaluate | Repair):
        session.tell.proposer(f"Tried beside others and dropped, {reason}: {action.forms[:300]}")
    elif isinstance(action, Resume):
        taken = " ".join([action.restart, *action.arguments])
        session.tell.proposer(f"Tried beside others and dropped, {reason}: the restart {taken[:300]}")
