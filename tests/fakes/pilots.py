"""What tests need that drive the application through a pilot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from jiti_tui.tui.widgets.rows import Rows


def row(stand: Any, part: str, index: int) -> str:
    """Return what a part of the screen shows in one of its rows."""
    strip = stand.app.screen.query_one(f"#{part}", Rows).render_line(index)
    return strip.text.rstrip()


async def settled(stand: Any, pilot: Any) -> None:
    """Let the stage stand long enough to be acted upon."""
    await pilot.pause()
    stand.clock.at += 1.0


async def shows(pilot: Any, condition: Callable[[], bool]) -> None:
    """Wait until `condition` holds, 5 seconds at most."""
    async with asyncio.timeout(5):
        while not condition():
            await pilot.pause(0.01)
