"""Work that must come to its end even when nobody waits for it any more: what writes to the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def uninterrupted(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Run a blocking `function` in a thread.

    A caller that is cancelled meanwhile, however often, is so only after `function` has ended.
    """
    work = asyncio.create_task(asyncio.to_thread(function, *arguments, **options))
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        work.exception()  # whatever it is, nobody waits for it
        raise cancelled
    return work.result()
