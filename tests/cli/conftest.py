"""What tests of several commands share: the demo world with its revisions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo world with its revisions 0 to 3 is, once a test has made it."""
    return tmp_path_factory.mktemp("accepted") / "world"


@pytest.fixture
def world(sales_tax: Path, accepted: Path, jiti: Callable[..., subprocess.CompletedProcess[str]]) -> Path:
    """The demo world with revisions 0 to 3."""
    if not accepted.exists():
        assert jiti("run", sales_tax, "--unsandboxed").returncode == 0
        shutil.copytree(sales_tax, accepted)
    shutil.copytree(accepted / "store", sales_tax / "store", dirs_exist_ok=True)
    return sales_tax
