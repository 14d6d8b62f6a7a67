"""What the tests of several parts share: a copy of the demo world, and the command line as its users call it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DEMO = Path(__file__).parent.parent / "demo_worlds" / "sales_tax"
SECONDS = 90

Events = list[dict[str, Any]]


@pytest.fixture
def sales_tax(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(DEMO, tmp_path / "sales_tax", ignore=shutil.ignore_patterns("store")))


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a user who has no key."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}


@pytest.fixture
def jiti(environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`jiti("eval", world, form)` runs the command line to its end."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "jiti_tui", *map(str, arguments)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    return run


@pytest.fixture
def run_json(jiti: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., tuple[Events, int]]:
    """`run_json(world, ...)` returns the events of `jiti-tui run --json` and its exit code."""

    def run(*arguments: str | Path) -> tuple[Events, int]:
        ended = jiti("run", *arguments, "--json")
        return [json.loads(line) for line in ended.stdout.splitlines()], ended.returncode

    return run
