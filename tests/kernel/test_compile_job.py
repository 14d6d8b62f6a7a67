"""The process that compiles definitions: it outlives who started it, ends by itself, and leaves a core or nothing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from jiti_tui.kernel.compile_job import CompileProcess, Job
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.definitions_core import DefinitionsCore
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl

SECONDS = 60
Wait = Callable[..., Awaitable[None]]
OPENING = Opening(["WORLD"])
ENDLESS = """(in-package :world)
(with-open-file (begun "/run/base/begun" :direction :output) (write-line "Evaluation has begun." begun))
(loop)"""


@pytest.fixture(autouse=True)
def cache(own_cache: Path) -> Path:
    return own_cache


async def job(sbcl: Sbcl, definitions: str) -> Job:
    base = await ensure_core(sbcl)
    core = DefinitionsCore.of(sbcl, "the kernel", base, OPENING, definitions)
    return Job(core, sbcl, await probe_sandbox(), base, OPENING, definitions, 256)


def begun(cache: Path) -> bool:
    """Whether the definitions are being evaluated."""
    return any(cache.glob("definitions-*.tmp/begun"))


def saving(cache: Path) -> list[int]:
    """The processes that would save a core in this cache, whose path a list of mounts may tell from another root on."""
    place = os.fsencode(str(Path(*cache.parts[-3:])))
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command, mounts = ((process / name).read_bytes() for name in ("cmdline", "mountinfo"))
            if b"--save" in command and place in command + mounts:
                found.append(int(process.name))
    return found


async def test_it_makes_the_core_or_says_why_not(sbcl: Sbcl, cache: Path) -> None:
    good, bad = await job(sbcl, "(in-package :world)\n(defun f () 7)"), await job(sbcl, "(in-package :world)\n(f (")
    async with asyncio.timeout(SECONDS):
        assert await CompileProcess(good).ended == ""
        assert "ends inside the form" in await CompileProcess(bad).ended
    assert good.core.find() is not None
    assert bad.core.find() is None


async def test_one_that_is_stopped_removes_what_it_has_begun(sbcl: Sbcl, cache: Path, wait_until: Wait) -> None:
    compiling = CompileProcess(await job(sbcl, ENDLESS))
    await wait_until(lambda: begun(cache), SECONDS)
    bounds = [Path(f"/proc/{pid}/limits").read_text() for pid in saving(cache)]
    assert any(re.search(r"Max cpu time +600 +600 ", limits) for limits in bounds)
    compiling.stop()
    async with asyncio.timeout(SECONDS):
        assert await compiling.ended
    assert not list(cache.glob("definitions-*"))
    await wait_until(lambda: not saving(cache), SECONDS)


async def test_one_that_is_killed_leaves_no_process_and_no_core(sbcl: Sbcl, cache: Path, wait_until: Wait) -> None:
    compiling = CompileProcess(await job(sbcl, ENDLESS))
    await wait_until(lambda: begun(cache), SECONDS)
    os.kill(compiling.pid, signal.SIGKILL)
    async with asyncio.timeout(SECONDS):
        assert "ended with -9" in await compiling.ended
    await wait_until(lambda: not saving(cache), SECONDS)
    assert not list(cache.glob("definitions-*.core"))
    async with asyncio.timeout(SECONDS):
        assert await CompileProcess(await job(sbcl, "(in-package :world)\n(defun f () 7)")).ended == ""
    assert not list(cache.glob("definitions-*.tmp"))
