"""The sandbox: what is out of reach inside it, and the reason that is told where there is none."""

from __future__ import annotations

import asyncio
import errno
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.command import MAX_PROCESSES
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox, sandbox_argv
from jiti_tui.kernel.seccomp import open_filter

StartKeeper = Callable[..., Awaitable[Keeper]]
Run = Callable[[str], Awaitable[str]]


@pytest.fixture
async def sandbox() -> Sandbox:
    sandbox = await probe_sandbox()
    if sandbox.bwrap is None:
        pytest.skip(sandbox.reason)
    return sandbox


@pytest.fixture
async def run(sandbox: Sandbox, tmp_path: Path) -> Run:
    """Run a shell script inside, where `/run/given` is a folder with the one file `inside`. Returns all it prints."""
    given = tmp_path / "given"
    given.mkdir()
    (given / "inside").write_text("given", encoding="utf-8")

    async def in_sandbox(script: str) -> str:
        assert sandbox.bwrap is not None
        with open_filter() as seccomp:
            process = await asyncio.create_subprocess_exec(
                *sandbox_argv(
                    sandbox.bwrap, readable=[(given, "/run/given")], environment=[("GIVEN", "yes")], seccomp=seccomp
                ),
                *("/bin/sh", "-c", script),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=os.environ | {"OPENAI_API_KEY": "secret"},
                pass_fds=[seccomp] if seccomp else [],
            )
        output, _ = await process.communicate()
        return output.decode()

    return in_sandbox


async def test_what_is_given_can_be_read_and_not_written(run: Run) -> None:
    assert await run("cat /run/given/inside") == "given"
    assert "Read-only" in await run("echo x > /run/given/inside")
    assert "Read-only" in await run("rm /run/given/inside")


async def test_the_environment_is_empty(run: Run) -> None:
    variables = dict(line.split("=", 1) for line in (await run("env")).splitlines())
    given = {"GIVEN": "yes", "HOME": "/home/world", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": "/tmp"}
    assert variables.items() >= given.items()
    assert variables.keys() - given.keys() <= {"PWD", "SHLVL", "_"}  # the shell's own


async def test_files_of_the_host_are_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("private", encoding="utf-8")
    assert "No such file" in await run(f"cat {tmp_path / 'file'}")
    assert (await run("ls -A /home /tmp /etc /root /var /run")).split() == [
        *("ls:", "cannot", "access", "'/root':", "No", "such", "file", "or", "directory"),
        *("ls:", "cannot", "access", "'/var':", "No", "such", "file", "or", "directory"),
        *("/etc:", "ld.so.cache", "/home:", "world", "/run:", "given", "/tmp:"),
    ]


@pytest.mark.parametrize("place", ["/usr/x", "/etc/x", "/x", "/run/x", "/home/x"])
async def test_the_system_cannot_be_written(run: Run, place: str) -> None:
    assert "Read-only" in await run(f"echo x > {place}")


@pytest.mark.parametrize("place", ["/tmp", "/home/world", "/dev/shm"])
async def test_what_can_be_written_is_bounded(run: Run, place: str) -> None:
    assert "No space left" in await run(f"dd if=/dev/zero of={place}/x bs=1M count=100 2>&1")
    assert await run("ls -A /tmp /home/world /dev/shm | grep x") == ""


async def test_other_processes_are_out_of_sight(run: Run) -> None:
    seen = [name for name in (await run("ls /proc")).split() if name.isdigit()]
    assert len(seen) <= 4
    assert str(os.getpid()) not in seen or os.getpid() < 10


async def test_there_is_no_network(run: Run) -> None:
    interfaces = [line.split(":")[0].strip() for line in (await run("cat /proc/net/dev")).splitlines()[2:]]
    assert interfaces == ["lo"]


async def test_no_privilege_is_left(run: Run) -> None:
    status = await run("cat /proc/self/status")
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert "must be superuser" in await run("mount -o remount,rw /usr")


async def test_no_namespace_can_be_made(run: Run) -> None:
    assert "unshare failed" in await run("unshare --user true")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="The numbers are those of x86_64.")
@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("101, 16, 1, 0, 0", errno.EPERM),  # ptrace(PTRACE_ATTACH, 1)
        ("310, 1, 0, 0, 0, 0, 0", errno.EPERM),  # process_vm_readv
        ("434, 1, 0", errno.EPERM),  # pidfd_open
        ("250, 0, -3, 1", errno.EPERM),  # keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING)
        ("425, 8, 0", errno.EPERM),  # io_uring_setup
        ("435, 0, 0", errno.ENOSYS),  # clone3
        ("272, 0x10000000", errno.EPERM),  # unshare(CLONE_NEWUSER)
        ("56, 0x10000011, 0, 0, 0, 0", errno.EPERM),  # clone(CLONE_NEWUSER | SIGCHLD)
        ("41, 2, 1, 0", errno.EAFNOSUPPORT),  # socket(AF_INET, SOCK_STREAM)
        ("41, 16, 3, 0", errno.EAFNOSUPPORT),  # socket(AF_NETLINK, SOCK_RAW)
        ("41, 1, 1, 0", 0),  # socket(AF_UNIX, SOCK_STREAM)
        ("39", 0),  # getpid
        (f"{0x40000000 + 39}", errno.ENOSYS),  # getpid by its x32 number
    ],
)
async def test_system_calls_are_filtered(run: Run, call: str, error: int) -> None:
    if shutil.which("perl") != "/usr/bin/perl":
        pytest.skip("There is no perl that the sandbox can see.")
    said = await run(f"perl -e '$r = syscall({call}); print $r < 0 ? $!+0 : 0'")
    assert said == str(error)


async def test_without_bubblewrap_the_reason_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox = await probe_sandbox()
    assert sandbox.bwrap is None
    assert "apt install bubblewrap" in sandbox.reason


async def test_a_bubblewrap_that_fails_gives_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2; exit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox = await probe_sandbox()
    assert sandbox == Sandbox(None, "bubblewrap cannot run here: bwrap: No permissions to create new namespace.")


LOW_DESCRIPTOR = """
import asyncio, os
from jiti_tui.kernel.sandbox import probe_sandbox
low = os.open(os.devnull, os.O_RDONLY)
async def probe():
    os.close(low)
    return await probe_sandbox()
print(low, asyncio.run(probe()).reason)
"""


async def test_a_sandbox_begins_whatever_descriptor_is_free(sandbox: Sandbox) -> None:
    ended = subprocess.run(  # noqa: ASYNC221 - nothing else waits
        [sys.executable, "-c", LOW_DESCRIPTOR], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.stdout == "3 \n", ended.stderr


async def test_no_key_reaches_a_worker(
    start_keeper: StartKeeper, either_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-the-user")
    keeper = await start_keeper(either_sandbox)
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    candidate = await world.attempt(0, 1)
    assert isinstance(candidate, Candidate)
    outcome = await candidate.evaluate(0, "(sb-ext:posix-environ)", 20)
    assert isinstance(outcome, Value)
    assert "PATH=" in outcome.value
    assert "secret" not in outcome.value
    assert "OPENAI" not in outcome.value


def limit(pid: int, name: str) -> int:
    """The hard limit of a process, as /proc/PID/limits names it, which anybody can read."""
    (line,) = [line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if line.startswith(name)]
    return int(line[len(name) :].split()[1])


async def test_limits_hold_for_every_worker(start_keeper: StartKeeper, sandbox: Sandbox) -> None:
    keeper = await start_keeper(sandbox)
    world = await keeper.fork_world()
    for pid in (keeper.worker.pid, world.worker.pid):
        assert limit(pid, "Max processes") == MAX_PROCESSES
        assert limit(pid, "Max core file size") == 0
        assert limit(pid, "Max open files") <= 1024
        assert limit(pid, "Max file size") <= 2**30
        assert 512 * 2**20 < limit(pid, "Max address space") < 2 * 2**30
