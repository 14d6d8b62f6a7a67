"""The filters themselves: their numbers against the system's headers, and what they decide, by running them."""

from __future__ import annotations

import errno
import re
import signal
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from jiti_tui.kernel.seccomp import KEEPER_PID, confinement_program, seccomp_program
from jiti_tui.kernel.syscalls import MACHINES, REFUSED, WEIGHED

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS, EAFNOSUPPORT = (0x50000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT))
WORD = 0xFFFFFFFF

HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"#define __NR_(\w+) (\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"#define __NR(?:3264)?_(\w+) (\d+)"),
}


def run(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What a filter returns for a system call: an interpreter of the few instructions that the filters use."""
    padded = [argument & 0xFFFFFFFFFFFFFFFF for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("<iIQ6Q", number, architecture, 0, *padded)
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator = place = 0
    while True:
        code, if_true, if_false, value = instructions[place]
        place += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x15:
                place += if_true if accumulator == value else if_false
            case 0x25:
                place += if_true if accumulator > value else if_false
            case 0x45:
                place += if_true if accumulator & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(hex(code))


@pytest.mark.parametrize("name", HEADERS)
def test_numbers_are_those_of_the_headers(name: str) -> None:
    header, pattern = HEADERS[name]
    if not header.exists():
        pytest.skip(f"{header} is not installed.")
    numbers = {call: int(number) for call, number in re.findall(pattern, header.read_text())}
    ours = {call: pair[MACHINES[name].column] for call, pair in (REFUSED | WEIGHED).items()}
    assert {call: number for call, number in ours.items() if numbers.get(call, number) != number} == {}
    assert len(ours.keys() & numbers.keys()) > 0.9 * len(ours)  # an older header does not know the youngest calls


@pytest.mark.parametrize("name", MACHINES)
def test_what_the_filter_of_a_sandbox_decides(name: str) -> None:
    machine, program = MACHINES[name], seccomp_program(name)
    assert program is not None

    def decide(call: str, *arguments: int) -> int:
        return run(program, machine.architecture, machine.number(call), *arguments)

    assert {decide(call) for call in REFUSED} == {EPERM}
    assert decide("clone3") == ENOSYS
    assert (decide("socket", 1, 1), decide("socketpair", 1, 1)) == (ALLOW, ALLOW)
    assert {decide("socket", family) for family in (0, 2, 10, 16, 17, 40, -1)} == {EAFNOSUPPORT}
    assert (decide("clone", 17), decide("clone", 0x1200011), decide("clone", 0x3D0F00)) == (ALLOW, ALLOW, ALLOW)
    namespaces = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
    assert {decide("clone", flag | 17) for flag in (*namespaces, 0x8000)} == {EPERM}
    assert (decide("prlimit64", 0), decide("prlimit64", 7)) == (ALLOW, EPERM)
    assert [decide("fcntl", 0, command) for command in (1, 2, 3, 4, 8, 10, 15)] == [ALLOW] * 4 + [EPERM] * 3
    assert [decide("ioctl", 0, request) for request in (0x5401, 0x8901, 0x8902, 0x5412)] == [ALLOW] + [EPERM] * 3
    assert decide("kill", 7, signal.SIGKILL) == ALLOW  # the keeper's own way to end what is left


@pytest.mark.parametrize("name", MACHINES)
def test_what_the_filter_of_a_world_decides(name: str) -> None:
    machine, program = MACHINES[name], confinement_program(name)
    assert program is not None

    def decide(call: str, *arguments: int) -> int:
        return run(program, machine.architecture, machine.number(call), *arguments)

    assert [number for number in range(65) if decide("kill", 7, number) == ALLOW] == [0, signal.SIGXCPU]
    allowed = [signal.SIGUSR2, signal.SIGURG, signal.SIGXCPU]
    assert [number for number in range(65) if decide("tgkill", 7, 7, number) == ALLOW] == sorted(allowed)
    for nobody in (0, 1, KEEPER_PID, -1, -7, WORD, 1 << 31):
        assert decide("kill", nobody, signal.SIGXCPU) == EPERM
        assert decide("tgkill", nobody, 7, signal.SIGUSR2) == EPERM
    assert decide("fcntl", 0, 8) == ALLOW  # the other filter's matter


@pytest.mark.parametrize("make", [seccomp_program, confinement_program])
def test_calls_by_other_numbers_mean_nothing(make: Callable[[str], bytes | None]) -> None:
    for name, machine in MACHINES.items():
        program = make(name)
        assert program is not None
        assert run(program, 0x40000003, 1) == KILL  # i386
        assert run(program, machine.architecture, 0x40000000 | 39) == ENOSYS  # x32
        assert run(program, machine.architecture, 1000) == ALLOW  # none that the filter knows
    assert make("s390x") is None
