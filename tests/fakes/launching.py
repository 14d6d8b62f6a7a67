"""A controller that launches a program which does not care for its parent, and waits for its own end."""

from __future__ import annotations

import asyncio

from jiti_tui.kernel.launcher import Launched


async def main() -> None:
    launched = await Launched.start(["/bin/sh", "-c", "sleep 987655 & exec sleep 987656"], environment={}, watched=True)
    print("launched", flush=True)
    await asyncio.wait({launched.exited})


if __name__ == "__main__":
    asyncio.run(main())
