"""Finds SBCL and asks it what it is."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
from pathlib import Path

from jiti_tui.errors import WorkerError
from jiti_tui.frozen import frozen

LEAST_VERSION = (2, 2, 9)
VARIABLE = "JITI_SBCL"

_PROBE_SECONDS = 30
_ADVICE = f"Install it (on Debian or Ubuntu: apt install sbcl) or name it in {VARIABLE}."
_PROBE = """(flet ((line (pathname)
                (format t "~A~%" (if pathname (sb-ext:native-namestring pathname) ""))))
  (let ((home (find-symbol "SBCL-HOMEDIR-PATHNAME" "SB-INT")))
    (format t "jiti-probe~%~A~%" (lisp-implementation-version))
    (line sb-ext:*runtime-pathname*)
    (line sb-ext:*core-pathname*)
    (line (if (and home (fboundp home)) (funcall home)))))"""


@frozen
class Sbcl:
    """An SBCL that works here.

    `command` is what the user calls, `runtime` the binary behind it, `core` what that loads by itself, and `home` the
    folder with its contributed modules, None where it has none. `build_id` tells one build from another: a core made by
    one does not run on another.
    """

    command: Path
    runtime: Path
    core: Path
    home: Path | None
    version: str
    build_id: str


async def find_sbcl() -> Sbcl:
    """Find SBCL by the variable JITI_SBCL, else on PATH, and start it once to learn what it is.

    Raises `WorkerError` when there is none, when it does not start, or when it is older than `LEAST_VERSION`.
    """
    command = _command()
    version, *paths = await _probe(command)
    _require_version(command, version)
    try:
        return await asyncio.to_thread(_describe, command, version, *paths)
    except OSError as error:
        raise WorkerError(f"A part of {command} cannot be read: {error}. {_ADVICE}") from error


def _command() -> Path:
    named = os.environ.get(VARIABLE)
    found = shutil.which(named or "sbcl")
    if found is None:
        if named:
            raise WorkerError(
                f"{VARIABLE} names {named!r}, which cannot be run. Name an SBCL, or unset it to use that on PATH."
            )
        raise WorkerError(f"SBCL is not on PATH. {_ADVICE}")
    return Path(found).absolute()


async def run_script(
    command: Path, *arguments: str | Path, seconds: float, cwd: Path | None = None
) -> tuple[int, bytes]:
    """Call the SBCL `command` with `arguments` and without init files; return its exit code and what it has written.

    It is killed when the caller is cancelled or `seconds` have passed; then TimeoutError is raised. Raises OSError when
    it cannot be run.
    """
    process = await asyncio.create_subprocess_exec(
        command,
        *("--noinform", "--non-interactive", "--no-sysinit", "--no-userinit", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=cwd,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), seconds)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return await process.wait(), output


async def _probe(command: Path) -> list[str]:
    try:
        code, output = await run_script(command, "--eval", _PROBE, seconds=_PROBE_SECONDS)
    except TimeoutError as error:
        raise WorkerError(f"{command} did not answer within {_PROBE_SECONDS} s. {_ADVICE}") from error
    except OSError as error:
        raise WorkerError(f"{command} cannot be run: {error.strerror}. {_ADVICE}") from error
    text = output.decode(errors="replace")
    lines = text.partition("jiti-probe\n")[2].splitlines()
    if code != 0 or len(lines) != 4:
        said = " ".join(text.split())[-400:].removesuffix(".")
        raise WorkerError(f"{command} does not start as SBCL does: {said or 'it says nothing'}. {_ADVICE}")
    return lines


def _require_version(command: Path, version: str) -> None:
    least = ".".join(map(str, LEAST_VERSION))
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    if match is None or tuple(map(int, match.groups())) < LEAST_VERSION:
        raise WorkerError(f"{command} is SBCL {version}; {least} or newer is needed. {_ADVICE}")


def _describe(command: Path, version: str, runtime_name: str, core_name: str, home_name: str) -> Sbcl:
    runtime = Path(runtime_name).resolve()
    core = Path(core_name).resolve()
    # The runtime holds the identifier that its cores must have; the core is what a wrapper may choose.
    digest = hashlib.sha256(runtime.read_bytes())
    if core != runtime:
        digest.update(f"{core} {core.stat().st_size}".encode())
    return Sbcl(command, runtime, core, Path(home_name).resolve() if home_name else None, version, digest.hexdigest())
