"""Many attempts one after the other, half of them failing in every way there is: nothing of them is left over.

`JITI_ATTEMPTS=10000` in the environment makes it as many; the figures are printed with `pytest -s`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from fakes.attempt import look
from fakes.ways import BASE, FAILING, FIVEAM, SUCCEEDING, accepted

from jiti_tui.kernel.base_core import ensure_base_core
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import find_sbcl

Wait = Callable[[Callable[[], bool]], Awaitable[None]]
IsRunning = Callable[[int], bool]

ATTEMPTS = int(os.environ.get("JITI_ATTEMPTS", "400"))
SUITES = Path(__file__).parents[1] / "fakes" / "suites"

WORLD_MB = 120
"""What the world's process may hold after all: SBCL, the kernel and the nursery are 40 MB of it."""


def descriptors(pid: int | str) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descendants(pid: int) -> set[int]:
    """All processes below one, the dead that nobody has reaped too."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
            children = {int(child) for child in (task / "children").read_text(encoding="ascii").split()}
            waiting += children - found
            found |= children
    return found


@pytest.fixture
async def keeper() -> AsyncIterator[Keeper]:
    """A keeper whose processes have the system "fake" and its tests, where FiveAM is installed."""
    sbcl, sandbox = await find_sbcl(), await probe_sandbox()

    async def core(rebuild: bool) -> Path:
        return (await ensure_base_core(sbcl, sandbox, ("fake",), SUITES, rebuild=rebuild)).path

    keeper = await Keeper.start(256, sbcl=sbcl, sandbox=sandbox, core=core if FIVEAM.is_dir() else None)
    yield keeper
    await keeper.close()


@pytest.mark.slow
@pytest.mark.timeout(120 + ATTEMPTS // 5)
async def test_nothing_is_left_of_many_attempts(keeper: Keeper, wait_until: Wait, is_running: IsRunning) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT", "SB-THREAD"]))
    assert await world.load_base("base.lisp", BASE) is None
    await world.adopt(0, 0)
    await world.restore()
    for number, way in enumerate(FAILING):
        world = await way(await accepted(world, number), number)
    own = descriptors("self")
    for number in range(ATTEMPTS // 2):
        world = await SUCCEEDING[number % len(SUCCEEDING)](world, number)
        world = await FAILING[number % len(FAILING)](world, number)
    assert await look(world, "(integerp (f 1))") == "T"
    # The dead process of the latest attempt is reaped when the next one begins.
    await wait_until(lambda: len(descendants(keeper.worker.pid)) <= 2)
    await wait_until(lambda: [pid for pid in descendants(keeper.worker.pid) if is_running(pid)] == [world.worker.pid])
    await wait_until(lambda: descriptors("self") <= own)
    assert await look(world, "(copies)") in ("2", "3")  # the world's, this look's, and the last one's
    assert await look(world, "(length (sb-thread:list-all-threads))") == "1"
    # The keeper has more open while it looks for what the last look may have left.
    await wait_until(lambda: descriptors(world.worker.pid) == descriptors(keeper.worker.pid))
    size = megabytes(world.worker.pid)
    print(
        f"{ATTEMPTS} attempts: the world holds {size:.0f} MB and {descriptors(world.worker.pid)} descriptors, ", end=""
    )
    print(f"the keeper {megabytes(keeper.worker.pid):.0f} MB; {descriptors('self')} descriptors here, {own} before.")
    assert size < WORLD_MB
