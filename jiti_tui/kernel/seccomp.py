"""The system calls that a sandbox refuses, as two seccomp filters: arrays of struct sock_filter.

The capabilities and namespaces of the sandbox forbid much of this already. The filters close what they leave open:
looking into other workers and disturbing them, what outlives a process, new namespaces, sockets other than Unix
sockets, and large young parts of Linux.

The first filter is bubblewrap's to set, for all that runs inside. The second one each world and verifier sets when the
keeper has forked it, and all that comes of them inherits it: the keeper alone may end other processes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import signal
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jiti_tui.kernel.syscalls import MACHINES, REFUSED, Machine

KEEPER_PID = 2
"""In its sandbox: bubblewrap itself stays there as process 1, to reap what dies, and forks the keeper first."""

_SHELL_DESCRIPTORS = 10
"""Those below it a shell script can name (POSIX, Shell Command Language 2.7)."""

# linux/seccomp.h and linux/filter.h
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_GREATER = 0x25  # BPF_JMP | BPF_JGT | BPF_K
_JUMP_SET = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER = 0  # offsets in struct seccomp_data
_ARCHITECTURE = 4
_ARGUMENTS = 16

_X32_BIT = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEW* of sched.h, without CLONE_NEWTIME: that is a signal number in clone(2)
_CLONE_PARENT = 0x8000  # makes a sibling, which the keeper would not find below it
_AF_UNIX = 1
_SIGNAL_OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX of fcntl.h: any signal to any process
_OWNERS_AND_TYPING = (0x8901, 0x8902, 0x5412, 0x541C)  # FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX of asm/ioctls.h
_HIGHEST_PID = 0x7FFFFFFF

_TO_A_PROCESS = (0, signal.SIGXCPU)
_TO_A_THREAD = (signal.SIGUSR2, signal.SIGURG, signal.SIGXCPU)
"""What SBCL sends to threads of its own: to stop for the collector, to be interrupted; and its own time limit."""

Instruction = tuple[int, int, int, int]


@contextmanager
def open_filter() -> Iterator[int | None]:
    """Give a descriptor from which bubblewrap can read the filter; None on a machine that there is none for.

    It is not among the first ones, which the shell that starts bubblewrap uses for itself.
    """
    program = seccomp_program(platform.machine())
    if program is None:
        yield None
        return
    low = os.memfd_create("seccomp")
    descriptor = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _SHELL_DESCRIPTORS)
    os.close(low)
    try:
        os.write(descriptor, program)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def seccomp_program(name: str) -> bytes | None:
    """Return the filter for all of a sandbox, on a machine as `platform.machine()` calls it; None if none is known."""
    machine = MACHINES.get(name)
    if machine is None:
        return None
    instructions = [*_preamble(machine), (_JUMP_EQUAL, 0, 1, machine.number("clone3"))]
    instructions.append(_refuse(errno.ENOSYS))  # its flags cannot be seen from here; the C library falls back to clone
    for call in REFUSED:
        instructions += [(_JUMP_EQUAL, 0, 1, machine.number(call)), _refuse(errno.EPERM)]
    for call in ("socket", "socketpair"):
        instructions += _weigh(machine.number(call), _one_of(0, (_AF_UNIX,), errno.EAFNOSUPPORT))
    clone = [(_LOAD, 0, 0, _ARGUMENTS), (_JUMP_SET, 0, 1, _NEW_NAMESPACES | _CLONE_PARENT), _refuse(errno.EPERM)]
    instructions += _weigh(machine.number("clone"), clone)
    instructions += _weigh(machine.number("prlimit64"), _one_of(0, (0,), errno.EPERM))  # its own limits alone
    instructions += _weigh(machine.number("fcntl"), _none_of(1, _SIGNAL_OWNERS))
    instructions += _weigh(machine.number("ioctl"), _none_of(1, _OWNERS_AND_TYPING))
    return _assemble([*instructions, (_RETURN, 0, 0, _ALLOW)])


def confinement_program(name: str) -> bytes | None:
    """Return the second filter, for what the keeper forks.

    It knows no pid but the keeper's, so that a candidate that becomes the world needs no other one: a filter cannot be
    taken off. Signals are refused by their numbers.
    """
    machine = MACHINES.get(name)
    if machine is None:
        return None
    instructions = [*_preamble(machine)]
    for call, place, signals in (("kill", 1, _TO_A_PROCESS), ("tgkill", 2, _TO_A_THREAD)):
        instructions += _weigh(machine.number(call), [*_other_than_keeper(), *_one_of(place, signals, errno.EPERM)])
    return _assemble([*instructions, (_RETURN, 0, 0, _ALLOW)])


def _preamble(machine: Machine) -> list[Instruction]:
    """Load the number of the call, once it is sure what it means."""
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),  # another machine's numbers, so nothing below means what it says
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_SET, 0, 1, _X32_BIT),
        _refuse(errno.ENOSYS),
    ]


def _weigh(number: int, rules: Sequence[Instruction]) -> list[Instruction]:
    """Apply `rules`, which return or fall through to allow, to the call with that number."""
    return [(_JUMP_EQUAL, 0, len(rules) + 1, number), *rules, (_RETURN, 0, 0, _ALLOW)]


def _one_of(place: int, values: Sequence[int], error: int) -> list[Instruction]:
    """Refuse unless the argument, of 32 bits, is one of `values`. Places count from 0."""
    tests = [(_JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * place), *tests, _refuse(error)]


def _none_of(place: int, values: Sequence[int]) -> list[Instruction]:
    """Refuse if the argument, of 32 bits, is one of `values`."""
    instructions: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * place)]
    for value in values:
        instructions += [(_JUMP_EQUAL, 0, 1, value), _refuse(errno.EPERM)]
    return instructions


def _other_than_keeper() -> list[Instruction]:
    """Refuse unless the first argument is one process that is neither the keeper nor process 1: no group, not all."""
    return [
        (_LOAD, 0, 0, _ARGUMENTS),
        (_JUMP_GREATER, 1, 0, KEEPER_PID),
        _refuse(errno.EPERM),
        (_JUMP_GREATER, 0, 1, _HIGHEST_PID),
        _refuse(errno.EPERM),
    ]


def _refuse(number: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)


def _assemble(instructions: Sequence[Instruction]) -> bytes:
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in instructions)
