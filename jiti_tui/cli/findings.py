"""What `doctor` looks at: each probe says what it found in one line, and what to do where something is missing."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.user_config import read_user_config
from jiti_tui.errors import ProposerError, UsageError, WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl, find_sbcl
from jiti_tui.kernel.unprivileged import runs_for_everyone
from jiti_tui.model.address import is_local
from jiti_tui.model.key import KEY, find_key

_HEAP_MB = 256
_NAMESPACE_SWITCHES = {
    "/proc/sys/user/max_user_namespaces": ("0", "sysctl user.max_user_namespaces=15000"),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sysctl kernel.unprivileged_userns_clone=1"),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "an AppArmor profile for bwrap, or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
}
"""Files that can keep bubblewrap from making namespaces: the value that does, and what lifts it: user_namespaces(7)."""


class Verdict(StrEnum):
    """MISSING keeps a session from running; WARNING takes something from it; NOTE is worth knowing."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    MISSING = "missing"


@frozen
class Finding:
    """One line: a verdict, what it is about, and what was found."""

    verdict: Verdict
    subject: str
    detail: str

    def __str__(self) -> str:
        return f"{self.verdict:<8} {self.subject:<13} {self.detail}"


async def examine(environ: Mapping[str, str]) -> list[Finding]:
    """Looks at everything a session needs. Builds the kernel's core if the cache has none, as a session would."""
    sandbox = await probe_sandbox()
    return [
        Finding(Verdict.OK, "Python", platform.python_version()),
        Finding(Verdict.OK, "Textual", version("textual")),
        *await _lisp(sandbox),
        *await _confinement(sandbox),
        model(environ),
        *terminal(environ),
    ]


async def _lisp(sandbox: Sandbox) -> list[Finding]:
    try:
        sbcl = await find_sbcl()
    except WorkerError as error:
        return [Finding(Verdict.MISSING, "SBCL", one_line(str(error), 600))]
    return [Finding(Verdict.OK, "SBCL", f"{sbcl.version}, {sbcl.command}"), await _core(sbcl, sandbox)]


async def _core(sbcl: Sbcl, sandbox: Sandbox) -> Finding:
    try:
        return Finding(Verdict.OK, "kernel", f"compiled, {await ensure_core(sbcl)}")
    except WorkerError as error:
        no_core = one_line(str(error), 600)
    try:
        keeper = await Keeper.start(_HEAP_MB, sbcl=sbcl, sandbox=sandbox)
    except WorkerError:
        return Finding(Verdict.MISSING, "kernel", no_core)
    await keeper.close()
    return Finding(Verdict.WARNING, "kernel", f"Every start loads it from source, which takes longer. {no_core}")


async def _confinement(sandbox: Sandbox) -> list[Finding]:
    if sandbox.bwrap is None:
        return [
            Finding(Verdict.WARNING, "sandbox", f"Sessions run NOT SANDBOXED: {one_line(sandbox.reason, 600)}"),
            *forbidden_namespaces(),
        ]
    findings = [Finding(Verdict.OK, "sandbox", f"bubblewrap works, {sandbox.bwrap}")]
    if not sandbox.processes_bounded:
        findings.append(_unbounded("bubblewrap does not run as another user here"))
    elif sandbox.user is not None and not await _runs_for_everyone():
        findings.append(_unbounded("SBCL lies where root alone can read it"))
    return findings


async def _runs_for_everyone() -> bool:
    try:
        return runs_for_everyone(await find_sbcl())
    except WorkerError:
        return True  # that there is no SBCL is another finding


def _unbounded(cause: str) -> Finding:
    return Finding(
        Verdict.WARNING,
        "root",
        f"The bound on the number of processes does not hold for root, and {cause}. "
        "Run jiti-tui as an ordinary user to have it.",
    )


def forbidden_namespaces(root: Path = Path("/")) -> list[Finding]:
    """Why bubblewrap may not make namespaces here, as far as the system's switches below `root` tell."""
    findings = []
    for name, (value, remedy) in _NAMESPACE_SWITCHES.items():
        path = root / name.lstrip("/")
        if path.exists() and path.read_text().strip() == value:
            findings.append(
                Finding(Verdict.WARNING, "namespaces", f"{name} is {value}. The administrator can lift it: {remedy}.")
            )
    return findings


def model(environ: Mapping[str, str]) -> Finding:
    """What `environ` and the user's config file offer to ask, without asking it. A world may name another server."""
    try:
        user = read_user_config(environ).model
    except UsageError as error:
        return Finding(Verdict.MISSING, "config", one_line(str(error), 600))
    try:
        key = find_key(environ, user.key_file)
    except ProposerError as error:
        return Finding(Verdict.WARNING, "model", one_line(str(error), 600))
    if key:
        place = f"{KEY} is set." if environ.get(KEY, "").strip() else f"The key is in {one_line(user.key_file or '')}."
        return Finding(Verdict.OK, "model", place)
    if user.base_url and is_local(user.base_url):
        return Finding(Verdict.OK, "model", f"{one_line(user.base_url)} is asked, which needs no key.")
    return Finding(
        Verdict.NOTE,
        "model",
        f"{KEY} is not set: without a key_file or a local server in [model] the transcript is played.",
    )


def terminal(environ: Mapping[str, str]) -> list[Finding]:
    """What the screen can do with the terminal that `environ` describes."""
    term = environ.get("TERM", "")
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    findings = []
    if term in {"", "dumb"}:
        findings.append(
            Finding(Verdict.NOTE, "terminal", f"TERM is {term or 'not set'}: the screen cannot be shown here; run can.")
        )
    else:
        findings.append(Finding(Verdict.OK, "terminal", f"TERM={one_line(term)}, {_colours(environ)}"))
    if re.search(r"utf-?8", locale, re.IGNORECASE):
        findings.append(Finding(Verdict.OK, "locale", one_line(locale)))
    else:
        named = f"{one_line(locale)} is not UTF-8" if locale else "none is set"
        findings.append(
            Finding(
                Verdict.NOTE,
                "locale",
                f"{named}: if the screen's glyphs come out wrong, set LANG=C.UTF-8 or use --ascii.",
            )
        )
    return findings


def _colours(environ: Mapping[str, str]) -> str:
    if environ.get("NO_COLOR"):
        return "greys, since NO_COLOR is set"
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return "true colour"
    return "256 colours or fewer, since COLORTERM is not truecolor"
