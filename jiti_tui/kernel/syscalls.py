"""The numbers of the system calls that the sandbox's filters know, and of the machines that have filters.

Numbers are (x86_64, aarch64), from Linux's asm/unistd_64.h and asm-generic/unistd.h.
"""

from __future__ import annotations

from jiti_tui.frozen import frozen

LOOKING_INTO_PROCESSES = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
}

DISTURBING_PROCESSES = {
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
}
"""Of another process of the same user. What a worker needs of these for itself, `tgkill` does."""

MEMORY_AND_KEYS = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
"""What these make can stay when the candidate that made it is dropped, or takes memory that no limit counts."""

MOUNTS_AND_NAMESPACES = {
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
}

WIDE_DOORS = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "syslog": (103, 116),
}
"""Large young parts of Linux, and its log."""

REFUSED = LOOKING_INTO_PROCESSES | DISTURBING_PROCESSES | MEMORY_AND_KEYS | MOUNTS_AND_NAMESPACES | WIDE_DOORS
"""Refused to every process of a sandbox, whatever the arguments."""

WEIGHED = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "prlimit64": (302, 261),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "tgkill": (234, 131),
}
"""Refused or not by their arguments."""


@frozen
class Machine:
    """A kind of processor: AUDIT_ARCH_* of linux/audit.h, and which of the two numbers above is its own."""

    architecture: int
    column: int

    def number(self, name: str) -> int:
        """The number of a system call of this page."""
        return (REFUSED | WEIGHED)[name][self.column]


MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}
"""By what `platform.machine()` calls them. Both are little-endian."""
