"""The core of the kernel: built once, never trusted, replaced when it is broken, and never needed."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.errors import WorkerError
from jiti_tui.kernel import core as core_module
from jiti_tui.kernel.cache import KEPT_CORES
from jiti_tui.kernel.core import ensure_core
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.kernel.sbcl import Sbcl

StartKeeper = Callable[..., Awaitable[Keeper]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "jiti-tui"


@pytest.fixture
async def warm_core(sbcl: Sbcl, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that holds the core already."""
    mine = os.environ["XDG_CACHE_HOME"]
    monkeypatch.delenv("XDG_CACHE_HOME")
    made = await ensure_core(sbcl)
    monkeypatch.setenv("XDG_CACHE_HOME", mine)
    cache.mkdir(parents=True, mode=0o700)
    return Path(shutil.copy(made, cache))


async def test_two_that_build_at_once_get_one_core(sbcl: Sbcl, cache: Path) -> None:
    first, second = await asyncio.gather(ensure_core(sbcl), ensure_core(sbcl))
    assert first == second
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert sorted(path.name for path in cache.iterdir()) == [first.name, "lock"]


async def test_a_warm_cache_is_used_as_it_is(sbcl: Sbcl, warm_core: Path, start_keeper: StartKeeper) -> None:
    os.utime(warm_core, (1, 1))
    before = warm_core.stat()
    keeper = await start_keeper(sbcl=sbcl)
    assert keeper.core_failure == ""
    assert (warm_core.stat().st_ino, warm_core.stat().st_size) == (before.st_ino, before.st_size)
    assert warm_core.stat().st_mtime > 1, "its use is not noted"


@pytest.mark.parametrize("size", [0, 20_000_000])
async def test_a_truncated_core_is_built_again(
    sbcl: Sbcl, warm_core: Path, start_keeper: StartKeeper, size: int
) -> None:
    whole = warm_core.stat().st_size
    os.truncate(warm_core, size)
    keeper = await start_keeper(sbcl=sbcl)
    assert "SBCL" in keeper.core_failure
    assert warm_core.stat().st_size > whole / 2
    await keeper.fork_world()


async def test_without_a_cache_the_kernel_comes_from_source(
    sbcl: Sbcl, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start_keeper: StartKeeper
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    keeper = await start_keeper(sbcl=sbcl)
    assert "Set XDG_CACHE_HOME" in keeper.core_failure
    await keeper.fork_world()


@pytest.fixture
def small_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel whose core is an empty file."""
    (tmp_path / "build.lisp").write_text("(open (first (last sb-ext:*posix-argv*)) :direction :output)", "utf-8")
    monkeypatch.setattr(core_module, "lisp_directory", lambda: tmp_path)
    return tmp_path


async def test_each_kernel_has_a_core_of_its_own_and_only_the_newest_are_kept(
    sbcl: Sbcl, cache: Path, small_kernel: Path
) -> None:
    made = []
    for number in range(KEPT_CORES + 2):
        (small_kernel / "a.lisp").write_text(f"; {number}\n", encoding="utf-8")
        made.append(await ensure_core(sbcl))
        os.utime(made[-1], (number, number))
    assert len(set(made)) == len(made)
    assert sorted(cache.glob("*.core")) == sorted(made[-KEPT_CORES:])


async def test_what_a_killed_build_has_left_goes_with_the_next_build(
    sbcl: Sbcl, cache: Path, small_kernel: Path
) -> None:
    cache.mkdir(parents=True)
    (cache / "kernel-0123.core.4567.tmp").touch()
    (cache / "kernel-0123.core.4567.tmp.fasl").touch()
    core = await ensure_core(sbcl)
    assert sorted(path.name for path in cache.iterdir()) == [core.name, "lock"]


async def test_a_kernel_that_does_not_compile_is_told(sbcl: Sbcl, cache: Path, small_kernel: Path) -> None:
    (small_kernel / "build.lisp").write_text('(error "no such luck")', encoding="utf-8")
    with pytest.raises(WorkerError, match=r"could not build the kernel's core: see .*build\.log"):
        await ensure_core(sbcl)
    assert "no such luck" in (cache / "build.log").read_text(encoding="utf-8")
    assert sorted(path.name for path in cache.iterdir()) == ["build.log", "lock"]


async def test_a_cache_that_takes_no_file_is_no_defect(sbcl: Sbcl, cache: Path, small_kernel: Path) -> None:
    (small_kernel / "build.lisp").write_text('(error "the disk is full")', encoding="utf-8")
    (cache / "build.log").mkdir(parents=True)
    with pytest.raises(WorkerError, match=r"core cannot be kept in .*jiti-tui: Is a directory"):
        await ensure_core(sbcl)


async def test_a_file_that_does_not_compile_leaves_nothing(sbcl: Sbcl, cache: Path, small_kernel: Path) -> None:
    shutil.copy(lisp_directory() / "build.lisp", small_kernel)
    shutil.copy(lisp_directory() / "files.lisp", small_kernel)
    (small_kernel / "jiti-kernel.asd").write_text('(defsystem "a" :components ((:file "broken")))', encoding="utf-8")
    (small_kernel / "broken.lisp").write_text("(defun broken (", encoding="utf-8")
    with pytest.raises(WorkerError, match="could not build"):
        await ensure_core(sbcl)
    assert "does not compile" in (cache / "build.log").read_text(encoding="utf-8")
    assert sorted(path.name for path in cache.iterdir()) == ["build.log", "lock"]
