"""Makes the view: what the proposer is shown of the world, at one generation."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from jiti_tui.engine.checklist import Checklist
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.observed import Observed
from jiti_tui.model.view import Check, Datum, Definition, Frame, PauseView, Restart, View
from jiti_tui.world.requests import Deciding

if TYPE_CHECKING:
    from jiti_tui.engine.attempts.attempt import Attempt
    from jiti_tui.engine.session import Session

VALUE_CHARACTERS = 2000
"""How much of one printed value a view shows."""


def digest(view: View) -> str:
    """What identifies a view in the evidence: the SHA-256, in hexadecimal, of its fields as Python prints them."""
    return hashlib.sha256(repr(view).encode("utf-8", "surrogatepass")).hexdigest()


async def make_view(session: Session, attempt: Attempt | None) -> View:
    """Observe the world, and the paused candidate where there is one, in throwaway forks."""
    observed = await _observe(session.workers.living_world)
    request = session.agenda.current
    decides = session.decides
    return View(
        world=session.folder.title,
        packages=session.folder.packages,
        generation=session.generation,
        revision=session.revision,
        request=request.text if request else "",
        goals=decides.goals,
        paused=await _pause_view(attempt, observed) if attempt is not None else None,
        definitions=definitions_of(observed),
        base=base_of(observed),
        data=data_of(observed),
        checks=checks_of(session.checklist, decides),
        outcomes=session.tell.outcomes,
        transcript_line=session.transcript_line,
    )


def definitions_of(observed: Observed) -> tuple[Definition, ...]:
    """The definitions as a view has them."""
    return tuple(
        Definition(d.kind, d.name, d.package, d.text, d.signature, d.documentation) for d in observed.definitions
    )


def base_of(observed: Observed) -> tuple[Definition, ...]:
    """What base code has defined, as a view has it."""
    return tuple(Definition(each.kind, each.name, "", "", each.signature, each.documentation) for each in observed.base)


def data_of(observed: Observed) -> tuple[Datum, ...]:
    """The data as a view has them."""
    return tuple(Datum(datum.name, datum.value) for datum in observed.data)


def checks_of(checklist: Checklist, decides: Deciding) -> tuple[Check, ...]:
    """The checks with what they say of the accepted world."""
    texts = {(check.kind, check.name): check.text for check in checklist.checks}
    return tuple(
        Check(row.kind, row.name, row.ok, row.detail, row.decides, texts[row.kind, row.name])
        for row in checklist.rows(decides)
    )


async def _observe(process: Holder | Candidate) -> Observed:
    async with throwaway(process) as runner:
        return await runner.observe(VALUE_CHARACTERS)


async def _pause_view(attempt: Attempt, accepted: Observed) -> PauseView | None:
    """The pause, with what the candidate has that the accepted world has not."""
    paused = attempt.paused
    if paused is None:
        return None
    observed = await _observe(attempt.living_process)
    definitions, data = set(definitions_of(accepted)), set(data_of(accepted))
    return PauseView(
        level=paused.level,
        type=paused.type,
        condition=paused.condition,
        restarts=tuple(Restart(r.id, r.name, r.report, r.least, r.most) for r in paused.restarts),
        frames=tuple(Frame(frame.call, frame.place) for frame in paused.frames),
        output=paused.output,
        definitions=tuple(one for one in definitions_of(observed) if one not in definitions),
        data=tuple(one for one in data_of(observed) if one not in data),
    )
