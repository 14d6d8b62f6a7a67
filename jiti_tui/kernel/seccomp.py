"""The system calls that a sandbox refuses, as a seccomp filter in the form that bubblewrap's --seccomp reads.

The capabilities and namespaces of the sandbox forbid much of this already. The filter closes what they leave open:
looking into other workers, keyrings, new namespaces, sockets other than Unix sockets, and large young parts of Linux.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

# linux/seccomp.h and linux/filter.h
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_SET = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER = 0  # offsets in struct seccomp_data; the machines below are little-endian
_ARCHITECTURE = 4
_FIRST_ARGUMENT = 16

_X32_BIT = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEW* of sched.h, without CLONE_NEWTIME: that is a signal number in clone(2)
_AF_UNIX = 1

# Numbers on x86_64 and aarch64: asm/unistd_64.h and asm-generic/unistd.h.
_REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "unshare": (272, 97),
    "setns": (308, 268),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}


@dataclass(frozen=True, slots=True)
class _Machine:
    architecture: int  # AUDIT_ARCH_* of linux/audit.h
    column: int
    clone: int
    clone3: int
    socket: int
    socketpair: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 0, clone=56, clone3=435, socket=41, socketpair=53),
    "aarch64": _Machine(0xC00000B7, 1, clone=220, clone3=435, socket=198, socketpair=199),
}


@contextmanager
def open_filter() -> Iterator[int | None]:
    """Give a descriptor from which bubblewrap can read the filter; None on a machine that there is none for."""
    program = seccomp_program(platform.machine())
    if program is None:
        yield None
        return
    descriptor = os.memfd_create("seccomp")
    try:
        os.write(descriptor, program)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def seccomp_program(name: str) -> bytes | None:
    """Return the filter for a machine as `platform.machine()` calls it: an array of struct sock_filter."""
    machine = _MACHINES.get(name)
    if machine is None:
        return None
    instructions = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),  # another machine's numbers, so nothing below means what it says
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_SET, 0, 1, _X32_BIT),
        _refuse(errno.ENOSYS),
        (_JUMP_EQUAL, 0, 1, machine.clone3),
        _refuse(errno.ENOSYS),  # its flags cannot be seen from here; the C library falls back to clone
    ]
    for numbers in _REFUSED.values():
        instructions += [(_JUMP_EQUAL, 0, 1, numbers[machine.column]), _refuse(errno.EPERM)]
    for number in (machine.socket, machine.socketpair):
        instructions += [
            (_JUMP_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),
            (_JUMP_EQUAL, 1, 0, _AF_UNIX),
            _refuse(errno.EAFNOSUPPORT),
            (_RETURN, 0, 0, _ALLOW),
        ]
    instructions += [
        (_JUMP_EQUAL, 0, 3, machine.clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_SET, 0, 1, _NEW_NAMESPACES),
        _refuse(errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in instructions)


def _refuse(number: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _ERRNO | number)
