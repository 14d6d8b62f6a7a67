"""Compiled code of accepted definitions: made while a session is open, for the next one, and never above the source."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.queries.standalone import Verified, verify
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.sbcl import find_sbcl
from jiti_tui.world.folder import read_world

Open = Callable[..., Any]

MANY = "\n".join(
    f'(defun f{number} (x)\n  "Adds {number} to X, one of many that do so."\n  (+ x {number}))' for number in range(120)
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with nothing in it but the kernel's core."""

    async def kernel() -> Path:
        return await ensure_core(await find_sbcl())

    core = asyncio.run(kernel())
    folder = tmp_path / "cache" / "jiti-tui"
    folder.mkdir(parents=True, mode=0o700)
    shutil.copy(core, folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def accept(operator: Any, forms: str, revision: int) -> None:
    operator.wait(lambda s: s.phase not in (Phase.STARTING, Phase.PUBLISHING))
    operator.send(commands.Evaluate(operator.snapshot.painted, forms))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == revision and s.phase is not Phase.PUBLISHING)


def value(operator: Any, form: str) -> str:
    before = operator.snapshot.looked
    operator.send(commands.Look(form))
    return str(operator.wait(lambda s: s.looked is not None and s.looked is not before).looked.text)


def is_compiled(operator: Any) -> bool:
    """Whether the session began with a core of its definitions."""
    return bool(operator.engine._session.workers._compiled_keepers)


def test_the_next_session_begins_with_compiled_definitions(plain_world: Path, open_session: Open, cache: Path) -> None:
    first = open_session(plain_world)
    accept(first, f"{MANY}\n(defvar *kept* (list 1 2))\n(setf (jiti:value :count) 3)", 1)
    first.wait_until(lambda: list(cache.glob("definitions-*.core")))
    first.quit()

    second = open_session(plain_world)
    second.wait(lambda s: s.phase is not Phase.STARTING)
    assert is_compiled(second)
    assert value(second, "(list (f119 1) *kept* (jiti:value :count))") == "(120 (1 2) 3)"
    accept(second, "(defun f0 (x) (list x *kept*))", 2)
    os.kill(second.engine._session.workers.world.worker.pid, signal.SIGKILL)
    second.wait(lambda s: s.notice is not None and "back in a fresh one" in s.notice.text)
    assert value(second, "(list (f0 1) (f119 1))") == "((1 (1 2)) 120)"
    second.wait_until(lambda: len(list(cache.glob("definitions-*.core"))) == 2)
    second.quit()
    assert asyncio.run(verify(read_world(plain_world))) == Verified()

    for core in cache.glob("definitions-*.core"):
        with core.open("r+b") as file:
            file.truncate(core.stat().st_size // 2)
    third = open_session(plain_world)
    third.wait(lambda s: s.phase is not Phase.STARTING)
    assert not is_compiled(third)
    assert value(third, "(list (f0 1) (f119 1))") == "((1 (1 2)) 120)"


def test_base_files_are_loaded_in_every_process(plain_world: Path, open_session: Open, cache: Path) -> None:
    with (plain_world / "world.toml").open("a") as file:
        file.write('load = ["base.lisp"]\n')
    (plain_world / "base.lisp").write_text("(in-package #:plain)\n(defvar *opened* (get-universal-time))\n")
    operator = open_session(plain_world)
    accept(operator, MANY, 1)
    session = operator.engine._session
    assert session.compiled._making is None
    assert not list(cache.glob("definitions-*"))


def test_a_short_session_leaves_its_compilation_to_a_process_that_ends(
    plain_world: Path, open_session: Open, cache: Path
) -> None:
    session = open_session(plain_world)
    accept(session, MANY, 1)
    session.quit()
    assert not list(cache.glob("definitions-*.core"))
    session.wait_until(lambda: list(cache.glob("definitions-*.core")))
    session.wait_until(lambda: not compilers())
    assert not list(cache.glob("definitions-*.tmp"))


def compilers() -> list[str]:
    """The command lines of the living processes that compile definitions."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = process.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if "jiti_tui.kernel.compile_job" in line or "--save" in line:
                found.append(line)
    return found
