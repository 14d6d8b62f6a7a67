"""`make setup` where it cannot do its work: it says what is missing and what to do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A copy of the checkout's set-up, and a PATH with nothing on it but what every system has: no apt-get."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(CHECKOUT / "scripts" / "setup.sh", tmp_path / "scripts")
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)
    (tmp_path / "path").mkdir()
    for name in ("bash", "env", "dirname", "grep", "cut", "sha256sum"):
        program = shutil.which(name)
        assert program is not None
        (tmp_path / "path" / name).symlink_to(program)
    return tmp_path


def setup(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(checkout / "scripts" / "setup.sh")],
        env={"PATH": str(checkout / "path"), "HOME": str(checkout)} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_without_sbcl_it_names_the_package_and_stops(bare: Path) -> None:
    told = setup(bare)
    assert told.returncode == 1
    assert "SBCL is missing" in told.stderr
    assert "apt-get install sbcl" in told.stderr
    assert not (bare / ".venv").exists()


def test_without_python_it_names_what_it_needs(bare: Path) -> None:
    (bare / "path" / "sbcl").symlink_to("/bin/true")
    told = setup(bare)
    assert told.returncode == 1
    assert "python3 is missing or older than 3.11" in told.stderr
    assert "NOT SANDBOXED" in told.stderr
