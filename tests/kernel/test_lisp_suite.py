"""The Lisp side's own tests, run by ASDF in one SBCL."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from jiti_tui.kernel.sbcl import find_sbcl

LISP = Path(__file__).parent.parent.parent / "lisp"
LIBRARIES = "/usr/share/common-lisp/source//"
"""Where Debian's packages put Lisp source; a trailing `//` means all folders below."""

SECONDS = 100

REPORTING = """\
(handler-bind ((warning (lambda (warning)
                          (unless (typep warning 'style-warning)
                            (format *error-output* "~&Warned of: ~A~%" warning)))))
  (load "{build}"))
"""
"""Builds the core, and tells on standard error of what the compiler warns of, as an undefined variable."""


async def test_kernel_compiles_without_a_warning(tmp_path: Path) -> None:
    sbcl = await find_sbcl()
    ended = subprocess.run(  # noqa: ASYNC221 - nothing else waits
        [
            *(sbcl.command, "--noinform", "--non-interactive", "--no-sysinit", "--no-userinit"),
            *("--eval", REPORTING.format(build=LISP / "build.lisp"), str(tmp_path / "core")),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert "Warned of" not in ended.stderr


async def test_suite_passes(tmp_path: Path) -> None:
    sbcl = await find_sbcl()
    ended = subprocess.run(  # noqa: ASYNC221 - nothing else waits
        [
            *(sbcl.command, "--noinform", "--dynamic-space-size", "1024", "--non-interactive"),
            *("--no-sysinit", "--no-userinit", "--eval", "(require :asdf)"),
            *("--eval", f'(asdf:load-asd "{LISP / "jiti-kernel.asd"}")'),
            *("--eval", '(asdf:test-system "jiti-kernel")'),
        ],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "LANG": "C.UTF-8",
            "CL_SOURCE_REGISTRY": f"{LIBRARIES}:",
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-20000:] + ended.stderr[-2000:]
    assert "Fail: 0" in ended.stdout


def test_lines_fit() -> None:
    long = [
        f"{path.name}:{number}"
        for path in sorted(LISP.rglob("*.lisp"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 100
    ]
    assert not long
