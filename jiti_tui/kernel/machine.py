"""What this machine runs worlds with: its SBCL and its sandbox. Each is started once to learn whether it works."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading

from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl

Machine = tuple[Sbcl, Sandbox]

_found_ahead: list[concurrent.futures.Future[Machine]] = []


async def find_machine() -> Machine:
    """Find both, or take what `look_ahead` has found. Raises WorkerError where there is no SBCL that works."""
    if _found_ahead:
        return await asyncio.wrap_future(_found_ahead.pop())
    return await _find()


def look_ahead() -> None:
    """Begin to find both in a thread of its own, for the next `find_machine`: a program's imports take longer."""
    found: concurrent.futures.Future[Machine] = concurrent.futures.Future()

    def find() -> None:
        try:
            found.set_result(asyncio.run(_find()))
        except BaseException as error:
            found.set_exception(error)

    _found_ahead.append(found)
    threading.Thread(target=find, name="look at the machine", daemon=True).start()


async def _find() -> Machine:
    return await asyncio.gather(find_sbcl(), probe_sandbox())
