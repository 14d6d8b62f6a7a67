"""Tries the world of an earlier revision as the next one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jiti_tui.engine.attempts.attempt import Attempt
from jiti_tui.engine.attempts.review import Review
from jiti_tui.errors import JitiError

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


async def go_back(session: Session, revision: int, origin: str, rationale: str) -> None:
    """Have a fresh process import `revision`, and judge that as an attempt of who wants it, by `origin`.

    It goes through the same checks and consent, for the request that it was accepted for: that request is the current
    one again where it is accepted.
    """
    attempt = Attempt(session, origin, rationale)
    attempt.begin(None)
    position, live = session.agenda.position, session.revision
    try:
        text = await asyncio.to_thread(session.store.read, revision)
        session.agenda.go_back_to(text.manifest.request)
        process = await session.workers.fresh(text.definitions, text.data, text.files, text.blocks)
        attempt.hold(process)
        await process.adopt(session.revision, session.generation)
        attempt.story.steps.append(f"go back to revision {revision}")
        await Review(session, process, attempt.story, revision).judge(f"revision {revision}")
    except JitiError as error:
        session.tell.restored(f"revision {revision} cannot come back: {error}")
    finally:
        if session.revision == live:
            session.agenda.position = position
        await attempt.end()
