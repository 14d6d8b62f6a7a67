"""ASDF systems as a base: found where the user has them, loaded once, kept in a core, missed when they change."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.errors import BaseCodeError
from jiti_tui.kernel.base_core import BaseCore, ensure_base_core
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Inspected, Invalid, Signalled
from jiti_tui.kernel.sandbox import Sandbox, probe_sandbox
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.source_folders import SourceFolder, source_folders

Build = Callable[..., Awaitable[BaseCore]]
Ask = Callable[[BaseCore, str], Awaitable[Inspected | Signalled | Invalid]]

ASD = """(defsystem "tally" :serial t
  :components ((:module "src" :components ((:file "package") (:file "tally")))))
(defsystem "tally/more" :depends-on ("tally" "no-such-library"))
(defsystem "tally/debian" :depends-on ("tally" "alexandria"))"""
PACKAGE = "(defpackage #:tally (:use #:cl) (:export #:up-to))"
SOURCE = "(in-package #:tally)\n(defun up-to (n) (loop for i from 1 repeat n collect i))\n"
ALEXANDRIA = Path("/usr/share/common-lisp/source/alexandria")


@pytest.fixture(autouse=True)
def cache(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache, and a home without a file."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CL_SOURCE_REGISTRY", raising=False)
    return own_cache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A world folder with a system of its own."""
    return _write_system(tmp_path / "world")


def _write_system(folder: Path, source: str = SOURCE) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "tally.asd").write_text(ASD)
    (folder / "src" / "package.lisp").write_text(PACKAGE)
    (folder / "src" / "tally.lisp").write_text(source)
    return folder


@pytest.fixture
async def build(sbcl: Sbcl, folder: Path) -> Build:
    """`await build("NAME", ...)` gives the core with these systems."""
    sandbox = await probe_sandbox()

    async def ensure(*systems: str, sandbox: Sandbox = sandbox) -> BaseCore:
        return await ensure_base_core(sbcl, sandbox, systems or ("tally",), folder)

    return ensure


@pytest.fixture
async def ask(sbcl: Sbcl) -> AsyncIterator[Ask]:
    """`await ask(core, FORM)` evaluates a form in a world that starts from that core."""
    keepers = []

    async def inspect(core: BaseCore, form: str) -> Inspected | Signalled | Invalid:
        async def path(_rebuild: bool) -> Path:
            return core.path

        keepers.append(await Keeper.start(256, sbcl=sbcl, core=path))
        world = await keepers[-1].fork_world()
        await world.open(Opening(["WORLD"], allow=["COMMON-LISP:PROBE-FILE"]))
        runner = await world.runner()
        return await runner.inspect(form, 10)

    yield inspect
    for keeper in keepers:
        await keeper.close()


@pytest.mark.skipif(not ALEXANDRIA.is_dir(), reason="alexandria is missing; scripts/setup.sh installs it")
async def test_a_system_of_the_world_folder_with_what_it_needs(build: Build, ask: Ask, folder: Path) -> None:
    core = await build("tally/debian")
    assert sorted(core.systems) == ["alexandria", "tally", "tally/debian"]
    assert await ask(core, "(append (tally:up-to 3) (alexandria:iota 2))") == Inspected("(1 2 3 0 1)", "")
    hidden = await ask(core, f'(probe-file "{folder}/src/tally.lisp")')
    assert hidden == Inspected("NIL", "")


async def test_without_a_sandbox(build: Build, ask: Ask) -> None:
    core = await build("tally", sandbox=Sandbox(None, "The test wants none."))
    assert await ask(core, "(tally:up-to 1)") == Inspected("(1)", "")


async def test_it_is_loaded_again_only_when_a_source_has_changed(build: Build, ask: Ask, folder: Path) -> None:
    first = await build()
    inode = first.path.stat().st_ino
    assert await build() == first
    assert first.path.stat().st_ino == inode
    source = folder / "src" / "tally.lisp"
    before = source.stat()
    source.write_text(SOURCE.replace("from 1", "from 5"))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    second = await build()
    assert second.path != first.path
    assert second.systems["tally"] != first.systems["tally"]
    assert await ask(second, "(tally:up-to 2)") == Inspected("(5 6)", "")


async def test_a_system_of_the_same_name_that_comes_first_is_noticed(
    build: Build, ask: Ask, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, near = tmp_path / "far", tmp_path / "near"
    folder.rename(far)
    folder.mkdir()
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{near}//:{far}//:")
    assert await ask(await build(), "(tally:up-to 1)") == Inspected("(1)", "")
    _write_system(near, SOURCE.replace("from 1", "from 7"))
    assert await ask(await build(), "(tally:up-to 1)") == Inspected("(7)", "")


async def test_links_in_a_home_are_followed(build: Build, ask: Ask, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.mkdir()
    projects = tmp_path / "home" / "quicklisp" / "local-projects"
    projects.mkdir(parents=True)
    (projects / "tally").symlink_to(elsewhere)
    (projects / "loop").symlink_to(projects)
    assert await ask(await build(), "(tally:up-to 1)") == Inspected("(1)", "")


async def test_the_order_of_the_places(
    sbcl: Sbcl, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    for name in ("common-lisp", "quicklisp/dists"):
        (home / name).mkdir(parents=True)
    one = tmp_path / "one"
    one.mkdir()
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{one}:/:")
    found = await source_folders(sbcl, folder)
    mine = [each for each in found if each.path.is_relative_to(tmp_path)]
    assert mine == [
        SourceFolder(folder, True),
        SourceFolder(one, False),
        SourceFolder(home / "common-lisp", True),
        SourceFolder(home / "quicklisp/dists", True),
    ]
    assert found[0].path == folder
    assert Path("/") not in [each.path for each in found]


@pytest.mark.parametrize(
    ("systems", "file", "text", "message"),
    [
        ("talli", "", "", r"No system named talli; looked in \S+/world, .*/usr/share/common-lisp/source\.$"),
        ("tally/more", "", "", "No system named no-such-library, which tally/more needs; looked in"),
        ("tally", "tally.asd", "(defsystem", r"tally\.asd"),
        ("tally", "src/tally.lisp", "(in-package #:tally)\n(defun f (", r"end of file on .*tally\.lisp.* line: 2"),
        ("tally", "src/tally.lisp", '(error "No ~A." 1)', r"^\S+/src/tally\.lisp: SIMPLE-ERROR: No 1\.$"),
        ("tally", "src/tally.lisp", '(sb-thread:make-thread #\'sleep :arguments 99 :name "zz")', "running, zz"),
        ("tally", "src/tally.lisp", "(sb-ext:exit :code 3)", "tried to leave"),
    ],
)
async def test_what_does_not_load_is_told(
    build: Build, folder: Path, cache: Path, systems: str, file: str, text: str, message: str
) -> None:
    if file:
        (folder / file).write_text(text)
    with pytest.raises(BaseCodeError, match=message):
        await build(systems)
    assert not list(cache.glob("base-*"))


async def test_a_warning_of_the_compiler_stops_nothing(build: Build, ask: Ask, folder: Path) -> None:
    source = folder / "src" / "tally.lisp"
    source.write_text(f"{SOURCE}(defun wrong () (car 1 2))\n")
    assert await ask(await build(), "(tally:up-to 1)") == Inspected("(1)", "")


async def test_a_registry_that_does_not_read(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CL_SOURCE_REGISTRY", "(:source-registry")
    with pytest.raises(BaseCodeError, match="Correct CL_SOURCE_REGISTRY"):
        await build()
