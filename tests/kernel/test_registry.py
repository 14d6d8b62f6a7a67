"""Who comes among the workers of a keeper: the process that was forked, and no other that knows its nonce."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.listener import Listener
from jiti_tui.kernel.registry import Registry

StartPeer = Callable[..., Awaitable[asyncio.subprocess.Process]]


async def test_another_process_than_the_forked_one_is_not_let_in(listener: Listener, start_peer: StartPeer) -> None:
    registry = Registry(listener, lambda _worker: None)
    expected = listener.expect("world")
    await start_peer(("hello", "world", expected.nonce), ("betray", "runner"), ("hang",))
    await asyncio.wait({expected.connection}, timeout=20)
    world = registry.admit(expected)
    with pytest.raises(WorkerError, match="Another process than the runner that was forked has said hello"):
        await registry.fork(world, "runner")
    assert registry.workers == {world}
    world.kill()
    await world.wait_dead()
