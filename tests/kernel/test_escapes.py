"""Ways out of the sandbox, tried by code that no form policy holds back: in an attempt, and in a goal."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from fakes.ways_out import CALLS

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.command import MAX_PROCESSES
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.seccomp import KEEPER_PID
from jiti_tui.kernel.world import World

StartKeeper = Callable[..., Awaitable[Keeper]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]
Family = Callable[[int], set[int]]
IsRunning = Callable[[int], bool]

SECONDS = 20.0
TOOLS = Path(__file__).parent.parent / "fakes" / "escape.lisp"

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="The numbers of system calls are x86_64's.")


@pytest.fixture(params=["ordinary user", "root"])
async def keeper(start_keeper: StartKeeper, request: pytest.FixtureRequest) -> Keeper:
    """A keeper whose sandbox an ordinary user has made, or root."""
    sandbox = await probe_sandbox()
    if sandbox.bwrap is None:
        pytest.skip(sandbox.reason)
    if request.param == "root":
        if os.getuid() != 0:
            pytest.skip("The tests do not run as root.")
        return await start_keeper(Sandbox(sandbox.bwrap))
    if not sandbox.processes_bounded:
        pytest.skip("bubblewrap does not run as another user than root here.")
    return await start_keeper(sandbox)


@pytest.fixture
async def world(keeper: Keeper) -> AsyncIterator[World]:
    """A world with the tools of tests/fakes/escape.lisp. When the test is over, it answers, and can be changed."""
    assert keeper.worker.inner_pid == KEEPER_PID
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    assert await world.load_base("escape.lisp", TOOLS.read_text(encoding="utf-8")) is None
    await world.adopt(0, 0)
    yield world
    candidate = await attempt(world)
    assert await value(candidate, "(defun f () 42) (f)") == "42"
    accepted = await candidate.accept(1, world.generation)
    runner = await accepted.runner()
    assert (await runner.check("goal", "x", "goals.lisp", 1, '(goal "x" (= 42 (f)))', SECONDS)).ok


async def attempt(world: World) -> Candidate:
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    return candidate


async def value(candidate: Candidate, forms: str) -> str:
    outcome = await candidate.evaluate(0, forms, SECONDS)
    assert isinstance(outcome, Value), outcome
    return outcome.value


async def tried(world: World, form: str) -> str:
    """What `form` comes to, printed, in an attempt that is dropped."""
    candidate = await attempt(world)
    seen = await value(candidate, form)
    await candidate.close()
    return seen


async def comes_to(world: World, form: str, expected: str) -> None:
    """`form` comes to `expected`, printed, in an attempt and in a goal."""
    assert await tried(world, form) == expected
    runner = await world.runner()
    check = await runner.check("goal", "out", "goals.lisp", 1, f'(goal "out" (equal {form} \'{expected}))', SECONDS)
    await runner.close()
    assert check.ok, check.detail


def programs(word: str) -> list[int]:
    """The pids of the running programs that have `word` on their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word in (folder / "cmdline").read_text(errors="replace").split("\0"):
                found.append(int(folder.name))
    return found


async def test_files_of_the_host_are_not_there(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    for path in (secret, Path.home(), Path(__file__), Path("/etc/passwd"), Path("/root"), Path("/var")):
        await comes_to(world, f'(readable "{path}")', f"{-errno.ENOENT}")


async def test_parents_and_the_keeper_cannot_be_looked_into(world: World) -> None:
    names = ("mem", "environ", "maps", "fd/0", "root/etc/ld.so.cache", "cwd/x")
    for open_file in ("readable", "writable"):
        parents = [f'({open_file} (parent "{name}"))' for name in names]
        keepers = [f'({open_file} "/proc/{KEEPER_PID}/{name}")' for name in names]
        await comes_to(world, f"(remove-duplicates (list {' '.join(parents + keepers)}))", f"({-errno.EACCES})")


async def test_siblings_cannot_be_looked_into(world: World) -> None:
    victim = await world.runner()
    await comes_to(world, f'(readable "/proc/{victim.worker.inner_pid}/mem")', f"{-errno.EACCES}")
    await victim.close()


async def test_the_environment_is_empty_and_the_host_has_no_name(world: World) -> None:
    names = "(mapcar (lambda (entry) (subseq entry 0 (position #\\= entry))) (sb-ext:posix-environ))"
    seen = (await tried(world, names)).replace('"', "").strip("()").split()
    assert set(seen) <= {"HOME", "LANG", "PATH", "PWD", "SBCL_HOME", "TMPDIR"}
    await comes_to(world, '(sh "uname -n")', '"world"')


async def test_there_are_only_unix_sockets(world: World) -> None:
    families = "(2 10 16 17 38 40)"  # INET, INET6, NETLINK, PACKET, ALG, VSOCK
    made = f"(loop for family in '{families} append (list (sys 41 family 1 0) (sys 41 family 2 0) (sys 41 family 3 0)))"
    await comes_to(world, f"(remove-duplicates {made})", f"({-errno.EAFNOSUPPORT})")


@pytest.fixture
def abstract_socket() -> Iterator[str]:
    """A Unix socket of the host that has no file."""
    name = f"jiti-escape-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{name}")
        listening.listen()
        yield name


async def test_sockets_of_the_host_are_out_of_reach(world: World, abstract_socket: str) -> None:
    await comes_to(world, f'(connect "@{abstract_socket}")', f"{-errno.ECONNREFUSED}")
    await comes_to(world, '(connect "/run/dbus/system_bus_socket")', f"{-errno.ENOENT}")


async def test_the_folder_of_the_socket_holds_it_alone_and_cannot_be_changed(world: World) -> None:
    await comes_to(world, '(sh "ls -A /run/jiti")', '"socket"')
    await comes_to(world, '(with-memory (path "/run/jiti/socket") (sys 87 path))', f"{-errno.EROFS}")
    await comes_to(world, '(writable "/run/jiti/socket2")', f"{-errno.EROFS}")
    await comes_to(world, '(minusp (writable "/run/kernel.core"))', "T")


async def test_false_hellos_reach_nobody(world: World) -> None:
    assert await tried(world, f'(hello 1000 :world "{"0" * 32}")') == "1000"
    assert await tried(world, '(list (hello 10 :keeper "") (hello 10 :candidate "x"))') == "(10 10)"


async def test_calls_that_lead_out_are_refused(world: World) -> None:
    refused = {errno.EPERM, errno.EINVAL, errno.EFAULT, errno.EROFS, errno.EACCES, errno.ENOSYS}
    form = "(list " + " ".join(f"(sys {call})" for call in CALLS) + ")"
    results = [int(number) for number in (await tried(world, form)).strip("()").split()]
    assert [call for call, result in zip(CALLS, results, strict=True) if -result not in refused] == []
    await comes_to(world, f"(remove-if-not (lambda (result) (<= 0 result)) {form})", "NIL")


async def test_no_signal_ends_or_stops_the_world(world: World) -> None:
    send = "(sys 62 (parent) number) (sys 234 (parent) (parent) number)"
    await comes_to(world, f"(dotimes (number 65 :sent) {send})", ":SENT")


async def test_nothing_can_be_mounted_or_gained(world: World) -> None:
    await comes_to(world, '(sh "mount -o remount,rw /usr 2>/dev/null && echo mounted; true")', '""')
    steal = "cp /bin/sh /tmp/sh; chmod 6755 /tmp/sh; /tmp/sh -p -c 'id -u'; rm -f /tmp/sh"
    await comes_to(world, f'(sh "{steal}")', '"1000"')
    await comes_to(world, '(sh "unshare -r true 2>/dev/null && echo gained; true")', '""')


async def test_only_what_is_expected_is_inherited(world: World) -> None:
    seen = (await tried(world, "(descriptors)")).replace('"', "").strip("()").split()
    assert [name for name in seen if name != "/run/kernel.core"] == ["/dev/null", "pipe:", "pipe:", "socket:"]


async def test_what_can_be_written_is_bounded(world: World) -> None:
    for place in ("/tmp", "/home/world", "/dev/shm"):
        fill = f"dd if=/dev/zero of={place}/x bs=1M count=300 2>&1 | grep -c 'No space'; rm -f {place}/x"
        await comes_to(world, f'(sh "{fill}")', '"1"')


async def test_memory_is_bounded(world: World) -> None:
    for flags in ("#x22", "#x21"):  # anonymous, private or shared
        await comes_to(world, f"(sys 9 0 {600 * 2**20} 3 {flags} -1 0)", f"{-errno.ENOMEM}")


async def test_endless_output_fills_nothing(world: World) -> None:
    line = "(with-memory (line (make-string 65536 :initial-element #\\x)) (loop repeat 1000 sum (sys 1 1 line 65536)))"
    assert await tried(world, line) == "65536000"


async def test_a_daemon_ends_with_its_candidate(world: World, wait_until: Wait) -> None:
    word = f"96{os.getpid()}"
    candidate = await attempt(world)
    await value(candidate, f'(sh "exec >/dev/null 2>&1; (setsid sleep {word} &) & (setsid setsid sleep {word} &)")')
    await wait_until(lambda: len(programs(word)) == 2)
    await candidate.close()
    await wait_until(lambda: not programs(word))


async def test_a_daemon_ends_with_its_goal(world: World, wait_until: Wait) -> None:
    word = f"95{os.getpid()}"
    runner = await world.runner()
    goal = f'(goal "x" (sh "exec >/dev/null 2>&1; setsid setsid sleep {word} &"))'
    await runner.check("goal", "x", "goals.lisp", 1, goal, SECONDS)
    await runner.close()
    await wait_until(lambda: not programs(word))


async def test_a_fork_bomb_ends_with_its_candidate(
    keeper: Keeper, world: World, family: Family, is_running: IsRunning, wait_until: Wait
) -> None:
    if not keeper.sandbox.processes_bounded:
        pytest.skip("The bound on the number of processes does not hold for root.")

    def running() -> int:
        return sum(map(is_running, family(keeper.worker.pid)))

    before = running()
    candidate = await attempt(world)
    made = int(await value(candidate, "(fork-bomb)"))
    assert before < made < MAX_PROCESSES
    assert running() > made
    await candidate.close()
    await wait_until(lambda: running() == before)
