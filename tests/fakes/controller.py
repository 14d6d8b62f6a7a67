"""A controller that is about to be killed: `controller.py sandboxed|unsandboxed`.

It starts a keeper, a world, and a candidate that has started a program of its own and loops for ever, prints their
pids, and waits for its end.
"""

from __future__ import annotations

import asyncio
import sys

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.sandbox import Sandbox


async def main() -> None:
    sandbox = Sandbox(None, "not wanted") if sys.argv[1] == "unsandboxed" else None
    keeper = await Keeper.start(256, sandbox=sandbox)
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    candidate = await world.attempt(0, 1)
    assert isinstance(candidate, Candidate)
    candidate.worker.send(
        "evaluate",
        generation=0,
        forms='(sb-ext:run-program "/bin/sleep" (list "987654") :wait nil) (loop)',
        milliseconds=60_000,
    )
    print(keeper.worker.pid, world.worker.pid, candidate.worker.pid, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
