"""Work that must come to its end even when nobody waits for it any more: what writes to the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def uninterrupted(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Run a blocking `function` in a thread.

    A caller that is cancelled meanwhile is so only after `function` has ended.
    """
    work = asyncio.create_task(asyncio.to_thread(function, *arguments, **options))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise
