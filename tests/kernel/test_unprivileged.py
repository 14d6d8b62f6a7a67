"""What root's sandboxes, which run as another user, can reach, and what is lent to that user."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.unprivileged import UNPRIVILEGED, lend, reachable

StartKeeper = Callable[..., Awaitable[Keeper]]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_who_may_not_end_others_is_known() -> None:
    ask = "from jiti_tui.kernel.unprivileged import may_end_others; print(may_end_others())"
    alone = [] if os.getuid() else ["/usr/bin/setpriv", "--bounding-set=-kill", "--inh-caps=-kill"]
    told = subprocess.run([*alone, sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def test_a_file_is_reachable_if_all_its_folders_are(folder: Path) -> None:
    (folder / "inner").mkdir(mode=0o755)
    file = folder / "inner" / "file"
    file.touch(mode=0o644)
    assert reachable(file)
    assert reachable(folder / "inner")
    file.chmod(0o640)
    assert not reachable(file)
    file.chmod(0o644)
    (folder / "inner").chmod(0o750)
    assert not reachable(file)
    assert not reachable(folder / "nowhere")


def test_what_is_reachable_stays_where_it_is(folder: Path) -> None:
    file = folder / "file"
    file.touch(mode=0o644)
    assert lend(file, folder / "other") == file


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_file_in_a_private_folder_is_lent(folder: Path, tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(0o700)
    file = tmp_path / "core"
    file.write_bytes(b"core")
    file.chmod(mode)
    lent = lend(file, folder)
    assert lent == folder / "core"
    assert lent.read_bytes() == b"core"
    assert reachable(lent)
    assert file.stat().st_mode & 0o777 == mode


def test_a_private_folder_is_lent_with_all_in_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "lisp" / "tests").mkdir(parents=True, mode=0o700)
    (tmp_path / "lisp" / "tests" / "a.lisp").write_text("(a)")
    (tmp_path / "lisp" / "tests" / "a.lisp").chmod(0o600)
    tmp_path.chmod(0o700)
    lent = lend(tmp_path / "lisp", folder)
    assert reachable(lent / "tests" / "a.lisp")
    assert (lent / "tests" / "a.lisp").read_text() == "(a)"


@pytest.fixture
async def other_user() -> Sandbox:
    if os.getuid() != 0:
        pytest.skip("Only root's sandboxes run as another user.")
    sandbox = await probe_sandbox()
    if sandbox.user is None:
        pytest.skip("bubblewrap does not run as another user here.")
    return sandbox


async def test_roots_workers_are_another_users(start_keeper: StartKeeper, other_user: Sandbox) -> None:
    assert other_user.processes_bounded
    keeper = await start_keeper(other_user)
    world = await keeper.fork_world()
    for pid in (keeper.worker.pid, world.worker.pid):
        status = Path(f"/proc/{pid}/status").read_text()
        assert f"Uid:\t{UNPRIVILEGED}\t{UNPRIVILEGED}\t" in status
        assert f"Gid:\t{UNPRIVILEGED}\t{UNPRIVILEGED}\t" in status
        assert "Groups:\t \n" in status


async def test_the_socket_is_that_users_alone(
    start_keeper: StartKeeper, other_user: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    keeper = await start_keeper(other_user)
    (own,) = folder.iterdir()
    status = own.stat()
    assert (status.st_uid, status.st_mode & 0o777) == (UNPRIVILEGED, 0o700)
    abandoned = folder / "jiti-abandoned"
    abandoned.mkdir(mode=0o700)
    socket.socket(socket.AF_UNIX).bind(str(abandoned / "socket"))
    os.chown(abandoned, UNPRIVILEGED, -1)
    second = await start_keeper(other_user)
    assert not abandoned.exists()
    await keeper.close()
    await second.close()
    assert not list(folder.iterdir())


async def test_the_kernels_source_is_lent_too(
    start_keeper: StartKeeper, other_user: Sandbox, sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "file"
    cache.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    keeper = await start_keeper(other_user, sbcl)
    assert "XDG_CACHE_HOME" in keeper.core_failure
    assert (await keeper.fork_world()).worker.alive


async def test_root_itself_can_be_held_where_no_other_user_can_run(start_keeper: StartKeeper) -> None:
    sandbox = await probe_sandbox()
    if os.getuid() != 0 or sandbox.bwrap is None:
        pytest.skip("This is about root, in a sandbox.")
    alone = Sandbox(sandbox.bwrap)
    assert not alone.processes_bounded
    keeper = await start_keeper(alone)
    assert "Uid:\t0\t" in Path(f"/proc/{keeper.worker.pid}/status").read_text()
