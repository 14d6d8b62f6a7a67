"""What the tests of several parts share: a copy of the demo world, and the command line as its users call it."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.provider import Provider
from pytest_httpserver import HTTPServer

DEMO = Path(__file__).parent.parent / "demo_worlds" / "sales_tax"
SECONDS = 90

Events = list[dict[str, Any]]


@pytest.fixture
def sales_tax(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(DEMO, tmp_path / "sales_tax", ignore=shutil.ignore_patterns("store")))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has no key and no config file."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return own | {"XDG_CONFIG_HOME": str(tmp_path / "config")}


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
        ended = jiti("run", *arguments, "--json", "--unsandboxed")
        return [json.loads(line) for line in ended.stdout.splitlines()], ended.returncode

    return run


@pytest.fixture
def family() -> Callable[[int], set[int]]:
    """`family(pid)` returns the pids of all processes that descend from `pid`, as they are now."""

    def descendants(pid: int) -> set[int]:
        children: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
        found: set[int] = set()
        waiting = [pid]
        while waiting:
            born = children.get(waiting.pop(), [])
            found.update(born)
            waiting += born
        return found

    return descendants


@pytest.fixture
def wait_gone() -> Callable[[set[int]], None]:
    """`wait_gone(pids)` waits until none of them runs, and fails after a while."""

    def wait(pids: set[int]) -> None:
        end = time.monotonic() + 20
        while left := {pid for pid in pids if _runs(pid)}:
            assert time.monotonic() < end, f"still running: {left}"
            select.select([], [], [], 0.02)

    return wait


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


@pytest.fixture(scope="session")
def http_server() -> Iterator[HTTPServer]:
    """One for all tests: stopping it takes half a second."""
    server = HTTPServer(threaded=True)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def provider(http_server: HTTPServer) -> Iterator[Provider]:
    http_server.clear()
    yield Provider(http_server)
    http_server.check_assertions()
