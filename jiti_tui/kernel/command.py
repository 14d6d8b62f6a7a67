"""The command lines that start a keeper, or a process that saves a core, in the sandbox or without it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from jiti_tui.frozen import frozen
from jiti_tui.kernel import sandbox
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.seccomp import confinement_program

MAX_PROCESSES = 256
"""In one sandbox, threads included. Without a sandbox the bound would count all that the user runs."""
COPIES = 8
"""How many copies of the world's files there is room for: the world, candidates, and what looks into them."""


@frozen
class Command:
    """What to run, and its whole environment."""

    argv: tuple[str, ...]
    environment: dict[str, str]


def keeper_command(
    sbcl: Sbcl,
    core: Path | None,
    *,
    lisp: Path,
    heap_mb: int,
    files_mb: int,
    socket: Path,
    nonce: str,
    bwrap: str | None,
    seccomp: int | None,
) -> Command:
    """Return the command for a keeper that connects to `socket` and says `nonce`.

    `core` is the kernel's; None: the kernel is loaded from its source in the folder `lisp`. `heap_mb` is the size of
    the heap in MiB, and `files_mb` bounds one copy of the world's files. Without `bwrap` there is no sandbox, and the
    keeper's home is the folder of the socket. `seccomp` is as in `sandbox_argv`.
    """
    if bwrap is None:
        program = _program(sbcl, core, lisp, heap_mb)
        environment = sandbox.clean_environment(str(socket.parent), str(socket.parent)) | _sbcl_home(sbcl)
        files = socket.parent / "files"
        return Command((*program, "--socket", str(socket), "--nonce", nonce, "--files", str(files)), environment)
    inside = Path(sandbox.CORE) if core else None
    readable = [(socket, f"{sandbox.SOCKET_DIRECTORY}/{socket.name}")]
    readable += [(core, sandbox.CORE)] if core else [(lisp, sandbox.LISP_DIRECTORY)]
    readable += [(path, str(path)) for path in _own_places(sbcl) if not _in_system(path)]
    return Command(
        (
            *sandbox.sandbox_argv(
                bwrap,
                readable=readable,
                environment=tuple(_sbcl_home(sbcl).items()),
                files_bytes=COPIES * files_mb * 1024 * 1024,
                seccomp=seccomp,
            ),
            *_program(sbcl, inside, Path(sandbox.LISP_DIRECTORY), heap_mb),
            *("--socket", f"{sandbox.SOCKET_DIRECTORY}/{socket.name}", "--nonce", nonce),
            *("--files", sandbox.FILES_DIRECTORY),
            *("--scratch", sandbox.SCRATCH),
            *("--processes", str(MAX_PROCESSES)),
            *("--confine", (confinement_program(platform.machine()) or b"").hex()),
        ),
        {},
    )


def saving_command(
    sbcl: Sbcl,
    core: Path,
    *,
    heap_mb: int,
    work: Path,
    readable: Sequence[Path],
    bwrap: str | None,
    seccomp: int | None,
) -> Command:
    """Return the command for a process that does what `work`/request asks and saves itself in the folder `work`.

    It starts from `core`; `readable` are folders of sources, which the sandbox shows where they are. The rest is as
    for `keeper_command`.
    """
    lisp = lisp_directory()
    if bwrap is None:
        environment = sandbox.clean_environment(str(work), str(work)) | _sbcl_home(sbcl)
        return Command((*_program(sbcl, core, lisp, heap_mb), "--save", str(work)), environment)
    places = [(path, str(path)) for path in (*readable, *_own_places(sbcl)) if not _in_system(path)]
    argv = sandbox.sandbox_argv(
        bwrap,
        readable=[*places, (core, sandbox.CORE)],
        writable=[(work, sandbox.WORK_DIRECTORY)],
        environment=tuple(_sbcl_home(sbcl).items()),
        seccomp=seccomp,
    )
    program = _program(sbcl, Path(sandbox.CORE), lisp, heap_mb)
    return Command((*argv, *program, "--save", sandbox.WORK_DIRECTORY), {})


def _own_places(sbcl: Sbcl) -> list[Path]:
    return [path for path in (sbcl.runtime, sbcl.core, sbcl.home) if path]


def _sbcl_home(sbcl: Sbcl) -> dict[str, str]:
    return {"SBCL_HOME": str(sbcl.home)} if sbcl.home else {}


def _program(sbcl: Sbcl, core: Path | None, lisp: Path, heap_mb: int) -> tuple[str, ...]:
    runtime_options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{heap_mb}MB", "--end-runtime-options")
    if core is not None:
        return (str(sbcl.runtime), "--core", str(core), *runtime_options)
    own_core = () if sbcl.core == sbcl.runtime else ("--core", str(sbcl.core))
    script = ("--no-sysinit", "--no-userinit", "--disable-debugger", "--load", str(lisp / "start.lisp"))
    return (str(sbcl.runtime), *own_core, *runtime_options, *script, "--end-toplevel-options")


def _in_system(path: Path) -> bool:
    return path.is_relative_to("/usr")
