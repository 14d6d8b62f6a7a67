"""Keepers, worlds and processes for the tests of the kernel. Whatever a test starts here is gone when it ends."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.listener import Listener
from jiti_tui.kernel.process import Worker
from jiti_tui.kernel.registry import Registry
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.world import World

HEAP_MB = 256
FAKE_WORKER = Path(__file__).parent.parent / "fakes" / "worker.py"

StartKeeper = Callable[..., Awaitable[Keeper]]
StartFake = Callable[..., Awaitable[Worker]]
Wait = Callable[..., Awaitable[None]]


@pytest.fixture
async def sbcl() -> Sbcl:
    return await find_sbcl()


@pytest.fixture
async def own_cache(sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with nothing in it but the kernel's core."""
    core = await ensure_core(sbcl)
    folder = tmp_path / "cache" / "jiti-tui"
    folder.mkdir(parents=True, mode=0o700)
    shutil.copy(core, folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


@pytest.fixture(params=["sandboxed", "unsandboxed"])
async def either_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """The test runs twice: with the sandbox, and without one."""
    if request.param == "unsandboxed":
        return Sandbox(None, "The test wants none.")
    sandbox = await probe_sandbox()
    if sandbox.bwrap is None:
        pytest.skip(sandbox.reason)
    return sandbox


@pytest.fixture
async def start_keeper() -> AsyncIterator[StartKeeper]:
    """`await start_keeper(sandbox=...)` starts a keeper."""
    keepers: list[Keeper] = []

    async def start(sandbox: Sandbox | None = None, sbcl: Sbcl | None = None) -> Keeper:
        keepers.append(await Keeper.start(HEAP_MB, sbcl=sbcl, sandbox=sandbox))
        return keepers[-1]

    yield start
    for keeper in keepers:
        await keeper.close()


@pytest.fixture
async def keeper(start_keeper: StartKeeper) -> Keeper:
    """A keeper in the sandbox where that is possible."""
    return await start_keeper()


@pytest.fixture
async def world(keeper: Keeper) -> World:
    """A world with the one managed package WORLD, at revision 0 and generation 0."""
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"]))
    await world.adopt(0, 0)
    return world


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    listener = Listener.open()
    yield listener
    listener.close()


@pytest.fixture
async def start_peer(listener: Listener) -> AsyncIterator[Callable[..., Awaitable[asyncio.subprocess.Process]]]:
    """`await start_peer(STEP, ...)` runs tests/fakes/worker.py on the listener's socket; steps are tuples."""
    processes: list[asyncio.subprocess.Process] = []

    async def start(*steps: tuple[str, ...]) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(FAKE_WORKER), str(listener.path), *("\t".join(step) for step in steps)),
            stderr=asyncio.subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def start_fake(listener: Listener, start_peer: Callable[..., Awaitable[asyncio.subprocess.Process]]) -> StartFake:
    """`await start_fake(STEP, ...)` returns a `Worker` whose process says hello and then does the steps."""
    registry = Registry(listener, lambda _worker: None)

    async def start(*steps: tuple[str, ...]) -> Worker:
        expected = listener.expect("candidate")
        await start_peer(("hello", "candidate", expected.nonce), *steps)
        await asyncio.wait({expected.connection}, timeout=20)
        return registry.admit(expected)

    return start


@pytest.fixture
def wait_until() -> Wait:
    """`await wait_until(condition)` waits until it is true, and fails after 20 s, or `seconds`."""

    async def wait(condition: Callable[[], bool], seconds: float = 20) -> None:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - the condition is about other processes
                await asyncio.sleep(0.01)

    return wait


@pytest.fixture
def is_running() -> Callable[[int], bool]:
    """Whether a process is there and no zombie."""

    def running(pid: int) -> bool:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state not in "ZX"

    return running
