"""The command line that starts a keeper, in the sandbox or without it."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from jiti_tui.kernel import sandbox
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.seccomp import confinement_program


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and its whole environment."""

    argv: tuple[str, ...]
    environment: dict[str, str]


def keeper_command(
    sbcl: Sbcl, core: Path | None, *, heap_mb: int, socket: Path, nonce: str, bwrap: str | None, seccomp: int | None
) -> Command:
    """Return the command for a keeper that connects to `socket` and says `nonce`.

    `core` is the kernel's, None to load the kernel from its source; `heap_mb` is the size of the heap in MiB; without
    `bwrap` there is no sandbox, and the keeper's home is the folder of the socket. `seccomp` is as in `sandbox_argv`.
    """
    runtime_options = ("--noinform", "--disable-ldb", "--dynamic-space-size", f"{heap_mb}MB", "--end-runtime-options")
    lisp = lisp_directory()
    home = {"SBCL_HOME": str(sbcl.home)} if sbcl.home else {}
    if bwrap is None:
        program = _program(sbcl, core, lisp, runtime_options)
        environment = sandbox.clean_environment(str(socket.parent), str(socket.parent)) | home
        return Command((*program, "--socket", str(socket), "--nonce", nonce), environment)
    inside = Path(sandbox.CORE) if core else None
    readable = [(socket.parent, sandbox.SOCKET_DIRECTORY)]
    readable += [(core, sandbox.CORE)] if core else [(lisp, sandbox.LISP_DIRECTORY)]
    readable += [(path, str(path)) for path in (sbcl.runtime, sbcl.core, sbcl.home) if path and not _in_system(path)]
    return Command(
        (
            *sandbox.sandbox_argv(bwrap, readable=readable, environment=tuple(home.items()), seccomp=seccomp),
            *_program(sbcl, inside, Path(sandbox.LISP_DIRECTORY), runtime_options),
            *("--socket", f"{sandbox.SOCKET_DIRECTORY}/{socket.name}", "--nonce", nonce),
            *("--confine", (confinement_program(platform.machine()) or b"").hex()),
        ),
        {},
    )


def _program(sbcl: Sbcl, core: Path | None, lisp: Path, runtime_options: tuple[str, ...]) -> tuple[str, ...]:
    if core is not None:
        return (str(sbcl.runtime), "--core", str(core), *runtime_options)
    own_core = () if sbcl.core == sbcl.runtime else ("--core", str(sbcl.core))
    script = ("--no-sysinit", "--no-userinit", "--disable-debugger", "--load", str(lisp / "start.lisp"))
    return (str(sbcl.runtime), *own_core, *runtime_options, *script, "--end-toplevel-options")


def _in_system(path: Path) -> bool:
    return path.is_relative_to("/usr")
