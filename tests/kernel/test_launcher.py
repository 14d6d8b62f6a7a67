"""What is launched ends with its controller, whatever it does and however the controller dies."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from jiti_tui.kernel.launcher import Launched

Wait = Callable[[Callable[[], bool]], Awaitable[None]]
LAUNCHING = Path(__file__).parent.parent / "fakes" / "launching.py"


def running(word: str) -> bool:
    """Whether a program runs that has `word` among its arguments."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in entry.read_bytes().split(b"\0"):
                return True
        except (FileNotFoundError, ProcessLookupError):
            continue
    return False


async def test_killed_controller_takes_the_process_group_with_it(wait_until: Wait) -> None:
    controller = await asyncio.create_subprocess_exec(
        *(sys.executable, str(LAUNCHING)),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(LAUNCHING.parent.parent.parent)},
    )
    assert controller.stdout is not None
    await controller.stdout.readline()
    await wait_until(lambda: running("987655") and running("987656"))
    controller.kill()
    await controller.wait()
    await wait_until(lambda: not running("987655") and not running("987656"))


async def test_program_has_nothing_to_read_and_its_exit_code_is_told() -> None:
    launched = await Launched.start(
        ["/bin/sh", "-c", "read -r line || echo nothing; exit 7"], environment={}, watched=True
    )
    await asyncio.wait({launched.exited})
    assert (launched.exited.result(), launched.take_tail()) == (7, "nothing")


async def test_killing_it_leaves_no_watcher(wait_until: Wait) -> None:
    launched = await Launched.start(["/bin/sleep", "987657"], environment={}, watched=True)
    await wait_until(lambda: running("987657"))
    await launched.kill()
    await wait_until(lambda: not running("987657"))
