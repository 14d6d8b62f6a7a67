"""One screen drives, the others look on; which one is decided by the lock of the store alone."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]
Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]


async def test_the_first_drives_the_next_looks_on_and_the_world_goes_on_to_whoever_comes_then(
    sales_tax: Path, serve: Make, connect: Make, family: Family, wait_gone: WaitGone
) -> None:
    served = serve(sales_tax, "--proposer", "replay")
    driver = await connect(served)
    await driver.wait("YOUR TURN", "sales_tax", "rev 0", "review", "New world")
    drivers = family(served.process.pid)

    other = await connect(served)
    told = re.search(r"process number (\d+) on ", await other.wait("READ-ONLY", "Who holds the store", " on "))
    assert told is not None
    assert int(told[1]) in drivers
    await other.press("!")
    await other.press("\x0c")
    await other.wait("READ-ONLY", "read-only")

    await driver.press("")
    await driver.press("p")
    await driver.wait("Ready: candidate for revision 1")
    await driver.press("a")
    await driver.wait("rev 1")
    await other.wait("Revision 1 has been accepted.")

    await driver.socket.close()
    await asyncio.to_thread(wait_gone, drivers)
    assert not other.socket.closed
    following = await connect(served)
    await following.wait("YOUR TURN", "rev 1", "review")


async def test_a_page_that_is_loaded_again_drives_again(sales_tax: Path, serve: Make, connect: Make) -> None:
    served = serve(sales_tax)
    for _ in range(2):
        screen = await connect(served)
        await screen.wait("YOUR TURN", "review")
        closing = asyncio.create_task(screen.socket.close())
        await asyncio.sleep(0)
    await closing


async def test_of_two_that_connect_at_once_to_a_new_world_one_drives(
    sales_tax: Path, serve: Make, connect: Make
) -> None:
    served = serve(sales_tax)
    both = await asyncio.gather(connect(served), connect(served))
    badges = await asyncio.gather(*(each.either("YOUR TURN", "READ-ONLY") for each in both))
    assert sorted(badges) == ["READ-ONLY", "YOUR TURN"]


@pytest.fixture
def hold() -> Iterator[Make]:
    """`hold(world)` starts a process that holds the store, as a session elsewhere does; returns its pid."""
    program = (
        "import sys, pathlib; from jiti_tui.store.store import Store; "
        "store = Store.open(pathlib.Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    started: list[subprocess.Popen[str]] = []

    def start(world: Path) -> int:
        command = [sys.executable, "-c", program, str(world / "store")]
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert started[0].stdout is not None
        assert started[0].stdout.readline() == "held\n"
        return started[0].pid

    yield start
    for process in started:
        process.communicate()


async def test_beside_a_session_elsewhere_everyone_looks_on_and_sees_who_holds_the_store(
    sales_tax: Path, serve: Make, connect: Make, hold: Make, family: Family, wait_gone: WaitGone
) -> None:
    served = serve(sales_tax)
    screen = await connect(served)
    await screen.wait("YOUR TURN")
    pids = family(served.process.pid)
    await screen.press("\x11")
    await screen.closed()
    await asyncio.to_thread(wait_gone, pids)
    holder = hold(sales_tax)
    for _ in range(2):
        await (await connect(served)).wait("READ-ONLY", f"process number {holder} on")


async def test_an_error_at_the_start_is_told_and_the_server_goes_on(
    sales_tax: Path, serve: Make, connect: Make
) -> None:
    served = serve(sales_tax)
    (sales_tax / "world.toml").write_text("packages = 1")
    told = await (await connect(served)).closed()
    assert "world.toml" in told
    assert "Traceback" not in told
    (sales_tax / "world.toml").write_text(f"packages = {json.dumps(['SALES-TAX'])}")
    await (await connect(served)).wait("YOUR TURN")


async def test_what_needs_a_terminal_is_said_and_the_screen_goes_on(
    sales_tax: Path, serve: Make, connect: Make
) -> None:
    screen = await connect(serve(sales_tax))
    await screen.wait("YOUR TURN")
    await screen.press("\x1bOR")
    await screen.press("o")
    await screen.wait("need a terminal")
    await screen.press("\x1a")
    await screen.press("\x0c")
    await screen.wait("sales_tax")


@pytest.mark.slow
async def test_there_is_a_bound_to_screens(sales_tax: Path, serve: Make, connect: Make) -> None:
    served = serve(sales_tax, "--read-only")
    sockets = [await connect(served) for _ in range(9)]
    assert "8 screens already" in await sockets[-1].closed()
