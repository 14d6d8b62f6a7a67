"""The command line that starts a keeper, in the sandbox or without it."""

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


@frozen
class Command:
    """What to run, and its whole environment."""

    argv: tuple[str, ...]
    environment: dict[str, str]


COPIES = 8
"""How many copies of the world's files there is room for: the world, candidates, and what looks into them."""


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

    `lisp` is the folder of the kernel's Lisp files, in case there is no core.

    `core` is the kernel's, None to load the kernel from its source; `heap_mb` is the size of the heap in MiB, and
    `files_mb` bounds one copy of the world's files; without `bwrap` there is no sandbox, and the keeper's home is the
    folder of the socket. `seccomp` is as in `sandbox_argv`.
    """
    runtime_options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{heap_mb}MB", "--end-runtime-options")
    home = {"SBCL_HOME": str(sbcl.home)} if sbcl.home else {}
    if bwrap is None:
        program = _program(sbcl, core, lisp, runtime_options)
        environment = sandbox.clean_environment(str(socket.parent), str(socket.parent)) | home
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
                environment=tuple(home.items()),
                files_bytes=COPIES * files_mb * 1024 * 1024,
                seccomp=seccomp,
            ),
            *_program(sbcl, inside, Path(sandbox.LISP_DIRECTORY), runtime_options),
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
    runtime_options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{heap_mb}MB", "--end-runtime-options")
    home = {"SBCL_HOME": str(sbcl.home)} if sbcl.home else {}
    lisp = lisp_directory()
    if bwrap is None:
        environment = sandbox.clean_environment(str(work), str(work)) | home
        return Command((*_program(sbcl, core, lisp, runtime_options), "--save", str(work)), environment)
    places = [(path, str(path)) for path in (*readable, *_own_places(sbcl)) if not _in_system(path)]
    argv = sandbox.sandbox_argv(
        bwrap,
        readable=[*places, (core, sandbox.CORE)],
        writable=[(work, sandbox.WORK_DIRECTORY)],
        environment=tuple(home.items()),
        seccomp=seccomp,
    )
    program = _program(sbcl, Path(sandbox.CORE), lisp, runtime_options)
    return Command((*argv, *program, "--save", sandbox.WORK_DIRECTORY), {})


def _own_places(sbcl: Sbcl) -> list[Path]:
    return [path for path in (sbcl.runtime, sbcl.core, sbcl.home) if path]


def _program(sbcl: Sbcl, core: Path | None, lisp: Path, runtime_options: tuple[str, ...]) -> tuple[str, ...]:
    if core is not None:
        return (str(sbcl.runtime), "--core", str(core), *runtime_options)
    own_core = () if sbcl.core == sbcl.runtime else ("--core", str(sbcl.core))
    script = ("--no-sysinit", "--no-userinit", "--disable-debugger", "--load", str(lisp / "start.lisp"))
    return (str(sbcl.runtime), *own_core, *runtime_options, *script, "--end-toplevel-options")


def _in_system(path: Path) -> bool:
    return path.is_relative_to("/usr")
