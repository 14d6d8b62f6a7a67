"""Makes the view: what the proposer is shown of the world, at one generation."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from jiti_tui.engine.throwaway import throwaway
from jiti_tui.model.view import Check, Datum, Definition, Frame, PauseView, Restart, View

if TYPE_CHECKING:
    from jiti_tui.engine.attempt import Attempt
    from jiti_tui.engine.session import Session

VALUE_CHARACTERS = 2000
"""How much of one printed value a view shows."""


def digest(view: View) -> str:
    """What identifies a view in the evidence: the SHA-256, in hexadecimal, of its fields as Python prints them."""
    return hashlib.sha256(repr(view).encode("utf-8", "surrogatepass")).hexdigest()


async def make_view(session: Session, attempt: Attempt | None) -> View:
    """Observe the world, or the paused candidate, in a throwaway fork."""
    process = session.workers.living_world if attempt is None else attempt.living_process
    async with throwaway(process) as runner:
        observed = await runner.observe(VALUE_CHARACTERS)
    request = session.agenda.current
    return View(
        world=session.folder.title,
        packages=session.folder.packages,
        generation=session.generation,
        revision=session.revision,
        request=request.text if request else "",
        goals=session.decides.goals,
        paused=_pause_view(attempt),
        definitions=tuple(Definition(d.kind, d.name, d.package, d.text) for d in observed.definitions),
        data=tuple(Datum(datum.name, datum.value) for datum in observed.data),
        checks=tuple(
            Check(row.kind, row.name, row.ok, row.detail, row.decides) for row in session.board.snapshot.checks
        ),
        outcomes=session.tell.outcomes,
        transcript_line=session.transcript_line,
    )


def _pause_view(attempt: Attempt | None) -> PauseView | None:
    paused = attempt.paused if attempt is not None else None
    if paused is None:
        return None
    return PauseView(
        level=paused.level,
        type=paused.type,
        condition=paused.condition,
        restarts=tuple(Restart(r.id, r.name, r.report, r.least, r.most) for r in paused.restarts),
        frames=tuple(Frame(frame.call, frame.place) for frame in paused.frames),
        output=paused.output,
    )
