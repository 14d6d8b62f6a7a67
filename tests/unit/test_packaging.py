"""What `pip install .` gives: one wheel that carries the Lisp files and the themes and works outside the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import jiti_tui

CHECKOUT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, without the checkout on its module path."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=CHECKOUT)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment with the wheel in it; its dependencies are those of the running one."""
    home = tmp_path_factory.mktemp("elsewhere") / "environment"
    venv.create(home, symlinks=True)
    programs = home / "bin"
    pip = (sys.executable, "-m", "pip", "--python", str(programs / "python"))
    done = run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=home)
    assert done.returncode == 0, done.stderr
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return programs


def test_the_wheel_carries_all_that_the_checkout_has(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = [path for path in (CHECKOUT / "jiti_tui").rglob("*") if path.suffix in {".py", ".tcss"}]
    kernel = [*CHECKOUT.glob("lisp/*.asd"), *CHECKOUT.glob("lisp/*.lisp")]
    themes = [path for path in (CHECKOUT / "themes").iterdir() if path.is_file()]
    assert kernel
    assert themes
    for path in sources:
        assert path.relative_to(CHECKOUT).as_posix() in names
    for path in (*kernel, *themes):
        assert f"jiti_tui/{path.relative_to(CHECKOUT).as_posix()}" in names


def test_the_wheel_carries_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if not re.match(r"jiti_tui(/|-[0-9.]+\.dist-info/)", name)] == []
    assert [name for name in names if re.search(r"__pycache__|\.fasl$|^jiti_tui/lisp/tests/", name)] == []


def test_the_version_is_the_package_s_own(installed: Path, tmp_path: Path) -> None:
    told = run(installed / "jiti-tui", "--version", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert jiti_tui.__version__ in told.stdout


def test_an_installed_program_evaluates_in_a_world_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    world = tmp_path / "counter"
    world.mkdir()
    (world / "world.toml").write_text('packages = ["COUNTER"]\nload = ["base.lisp"]\n')
    (world / "base.lisp").write_text("(in-package #:counter)\n(defun twice (n) (* 2 n))\n")
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    told = run(installed / "jiti-tui", "eval", "counter", "(twice 21)", cwd=tmp_path, **cache)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1] == "42"
