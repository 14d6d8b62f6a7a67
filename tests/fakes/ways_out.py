"""System calls of x86_64 that lead out of a sandbox: number and arguments, as tests/fakes/escape.lisp takes them."""

from __future__ import annotations

from jiti_tui.kernel.seccomp import KEEPER_PID

CALLS = [
    "101 16 (parent)",  # ptrace(PTRACE_ATTACH)
    "101 0",  # ptrace(PTRACE_TRACEME)
    "310 (parent) 0 0 0 0 0",  # process_vm_readv
    "311 (parent) 0 0 0 0 0",  # process_vm_writev
    "434 (parent) 0",  # pidfd_open
    "250 0 -3 1",  # keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING)
    "248 0 0 0 0 -3",  # add_key
    "249 0 0 0 -3",  # request_key
    "29 0 4096 #o1600",  # shmget(IPC_PRIVATE)
    "240 0 66 384 0",  # mq_open
    '319 (with-memory (name "x") name) 0',  # memfd_create
    "62 -1 9",  # kill
    "62 -1 24",
    "62 0 9",
    "62 1 9",
    f"62 {KEEPER_PID} 9",
    f"62 {KEEPER_PID} 24",
    "62 (parent) 9",
    "62 (parent) 19",
    "62 (parent) 15",
    "62 (- (parent)) 9",
    "62 (sys 39) 9",
    f"234 {KEEPER_PID} {KEEPER_PID} 12",  # tgkill
    "234 (parent) (parent) 9",
    "234 (parent) (parent) 11",
    "200 (parent) 9",  # tkill
    "129 (parent) 9 0",  # rt_sigqueueinfo
    "297 (parent) (parent) 9 0",  # rt_tgsigqueueinfo
    "72 0 8 (parent)",  # fcntl(F_SETOWN)
    "72 0 10 9",  # fcntl(F_SETSIG, SIGKILL)
    "16 0 #x8901 0",  # ioctl(FIOSETOWN)
    "302 (parent) 0 0 0",  # prlimit64
    "141 0 (parent) 19",  # setpriority
    "203 (parent) 0 0",  # sched_setaffinity
    "165 0 0 0 32 0",  # mount(MS_REMOUNT)
    "166 0 0",  # umount2
    "155 0 0",  # pivot_root
    "161 0",  # chroot
    "429 0 0 0 0 0",  # move_mount
    "430 0 0",  # fsopen
    "272 #x10000000",  # unshare(CLONE_NEWUSER)
    "308 0 0",  # setns
    "56 #x10000011 0 0 0 0",  # clone(CLONE_NEWUSER | SIGCHLD)
    "56 #x8011 0 0 0 0",  # clone(CLONE_PARENT | SIGCHLD)
    "425 8 0",  # io_uring_setup
    "321 0 0 0",  # bpf
    "298 0 0 0 0 0",  # perf_event_open
    "323 0",  # userfaultfd
    "103 2 0 0",  # syslog
    "157 22 0",  # prctl(PR_SET_SECCOMP, off)
    "157 38 0",  # prctl(PR_SET_NO_NEW_PRIVS, 0)
    "105 0",  # setuid(0)
    '259 -100 (with-memory (path "/tmp/node") path) #o60600 2049',  # mknodat: a block device
    "126 (with-memory (head #(34 5 8 32 0 0 0 0)) head) 0",  # capset
    "170 0 0",  # sethostname
    "169 0 0 0 0",  # reboot
    "175 0 0 0",  # init_module
    "164 0 0",  # settimeofday
]
