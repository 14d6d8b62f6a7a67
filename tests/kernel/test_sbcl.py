"""Finding SBCL, and saying what is wrong where there is none that works."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.sbcl import LEAST_VERSION, find_sbcl, run_script

Wait = Callable[..., Awaitable[None]]


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


async def test_finds_the_one_on_path() -> None:
    sbcl = await find_sbcl()
    assert tuple(map(int, sbcl.version.split(".")[:3])) >= LEAST_VERSION
    assert sbcl.runtime.is_file()
    assert sbcl.core.is_file()
    assert len(sbcl.build_id) == 64


async def test_a_wrapper_is_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = await find_sbcl()
    wrapper = script(tmp_path / "my-sbcl", f'exec {plain.command} --core {plain.core} "$@"')
    monkeypatch.setenv("JITI_SBCL", str(wrapper))
    sbcl = await find_sbcl()
    assert sbcl.command == wrapper
    assert (sbcl.runtime, sbcl.core, sbcl.build_id) == (plain.runtime, plain.core, plain.build_id)


async def test_none_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JITI_SBCL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorkerError, match=r"SBCL is not on PATH.*apt install sbcl.*JITI_SBCL"):
        await find_sbcl()


async def test_the_variable_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITI_SBCL", "/nowhere/sbcl")
    with pytest.raises(WorkerError, match=r"JITI_SBCL names '/nowhere/sbcl', which cannot be run\..*unset it"):
        await find_sbcl()


async def test_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITI_SBCL", str(script(tmp_path / "sbcl", "echo I am; echo a teapot.; exit 18")))
    with pytest.raises(WorkerError, match=r"does not start as SBCL does: I am a teapot\. Install it"):
        await find_sbcl()


async def test_what_the_system_cannot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sbcl"
    path.write_bytes(b"\x7fnothing that runs")
    path.chmod(0o755)
    monkeypatch.setenv("JITI_SBCL", str(path))
    with pytest.raises(WorkerError, match=r"sbcl cannot be run: Exec format error\. .*JITI_SBCL"):
        await find_sbcl()


async def test_one_that_hangs_is_killed_with_its_caller(tmp_path: Path, wait_until: Wait) -> None:
    pid = tmp_path / "pid"
    hangs = script(tmp_path / "sbcl", f"echo $$ > {pid}; exec sleep 600")
    call = asyncio.create_task(run_script(hangs, seconds=60))
    await wait_until(lambda: pid.exists() and pid.read_text().strip() != "")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not Path("/proc", pid.read_text().strip()).exists()


async def test_an_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = shutil.which("sh")
    answer = f"jiti-probe\\n2.1.11\\n{shell}\\n{shell}\\n\\n"
    monkeypatch.setenv("JITI_SBCL", str(script(tmp_path / "sbcl", f"printf '{answer}'")))
    with pytest.raises(WorkerError, match=r"is SBCL 2\.1\.11; 2\.2\.9 or newer is needed"):
        await find_sbcl()
