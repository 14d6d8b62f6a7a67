"""Who the controller's socket lets in: the process that was asked for, and nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from jiti_tui.kernel.listener import HELLO_BYTES, MAX_STRANGERS, Connection, Listener

StartPeer = Callable[..., Awaitable[asyncio.subprocess.Process]]


async def closed(process: asyncio.subprocess.Process) -> bool:
    """Whether the listener has closed the connection: a peer that waits for a request ends with an error."""
    async with asyncio.timeout(20):
        await process.wait()
    return process.returncode != 0


async def arrives(listener: Listener, start_peer: StartPeer) -> Connection:
    expected = listener.expect("world")
    await start_peer(("hello", "world", expected.nonce), ("hang",))
    await asyncio.wait({expected.connection}, timeout=20)
    return expected.take()


async def test_the_expected_worker_is_let_in(listener: Listener, start_peer: StartPeer) -> None:
    connection = await arrives(listener, start_peer)
    assert connection.role == "world"
    assert connection.inner_pid == connection.pid
    connection.close()


async def test_the_folder_is_private_and_goes_away() -> None:
    listener = Listener.open()
    status = listener.path.parent.stat()
    assert stat.S_IMODE(status.st_mode) == 0o700
    assert status.st_uid == os.getuid()
    listener.close()
    assert not listener.path.parent.exists()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter. Root uses no other: its sandboxes run as another user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


async def test_the_folder_of_a_killed_controller_goes_with_the_next_one(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(open_folder))
    script = (
        "from jiti_tui.kernel.listener import Listener\nimport asyncio, os\n"
        "async def listen():\n    Listener.open()\nasyncio.run(listen())\n"
        "print(*os.listdir(os.environ['XDG_RUNTIME_DIR']), flush=True); os._exit(9)"
    )
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    output, _ = await killed.communicate()
    abandoned = open_folder / output.decode().strip()
    assert (abandoned / "socket").is_socket()
    first = Listener.open()
    second = Listener.open()
    assert sorted(open_folder.iterdir()) == sorted([first.path.parent, second.path.parent])
    first.close()
    second.close()


@pytest.mark.parametrize(
    "first",
    [
        ("raw", "GET / HTTP/1.1\r\n\r\n"),
        ("raw", f"{HELLO_BYTES + 1:06x}"),
        ("raw", "000003)))"),
        ("send", "(:goodbye)"),
        ("send", '(:hello :role :world :nonce nil :pid "x")'),
        ("hello", "world", "0" * 32),
        ("hello", "keeper", "0" * 32),
    ],
)
async def test_anything_else_is_closed_and_the_next_one_is_still_let_in(
    listener: Listener, start_peer: StartPeer, first: tuple[str, ...]
) -> None:
    listener.expect("world")
    assert await closed(await start_peer(first, ("take",)))
    (await arrives(listener, start_peer)).close()


async def test_a_nonce_counts_once(listener: Listener, start_peer: StartPeer) -> None:
    expected = listener.expect("world")
    await start_peer(("hello", "world", expected.nonce), ("hang",))
    await asyncio.wait({expected.connection}, timeout=20)
    assert await closed(await start_peer(("hello", "world", expected.nonce), ("take",)))
    expected.take().close()


async def test_a_nonce_counts_for_its_role_alone(listener: Listener, start_peer: StartPeer) -> None:
    expected = listener.expect("world")
    assert await closed(await start_peer(("hello", "keeper", expected.nonce), ("take",)))
    assert not expected.connection.done()


async def test_a_nonce_that_is_forgotten_does_not_count(listener: Listener, start_peer: StartPeer) -> None:
    expected = listener.expect("world")
    listener.forget(expected)
    assert await closed(await start_peer(("hello", "world", expected.nonce), ("take",)))


async def test_a_process_has_one_connection(listener: Listener) -> None:
    first = listener.expect("world")
    second = listener.expect("world")
    hello = '(:hello :role :world :nonce "%s" :pid 1)'

    async def connect(nonce: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_unix_connection(listener.path)
        body = (hello % nonce).encode()
        writer.write(b"%06x" % len(body) + body)
        return reader

    await connect(first.nonce)
    await asyncio.wait({first.connection}, timeout=20)
    with contextlib.suppress(ConnectionError):  # it may be closed before its hello is written or read
        assert await (await connect(second.nonce)).read() == b""
    assert not second.connection.done()
    first.take().close()


async def test_a_crowd_of_silent_strangers_does_not_lock_the_worker_out(
    listener: Listener, start_peer: StartPeer, wait_until: Callable[[Callable[[], bool]], Awaitable[None]]
) -> None:
    await start_peer(("crowd", str(MAX_STRANGERS + 8)), ("hang",))
    await wait_until(lambda: len(listener._strangers) == MAX_STRANGERS)
    for _ in range(3):
        (await arrives(listener, start_peer)).close()
