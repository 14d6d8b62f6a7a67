"""What tests of several commands share: demo worlds with their revisions, each of which is played once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

DEMO_WORLDS = Path(__file__).parents[2] / "demo_worlds"

Events = list[dict[str, Any]]


class Played(NamedTuple):
    """A demo world after its recorded answers: the events of `run --json`, and its exit code."""

    world: Path
    events: Events
    code: int


@pytest.fixture(scope="session")
def plays() -> dict[str, Played]:
    """The demo worlds that have been played, by name."""
    return {}


@pytest.fixture
def played(
    plays: dict[str, Played],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    run_json: Callable[..., tuple[Events, int]],
) -> Callable[[str], Played]:
    """`played(name)` returns a demo world that has been played, in a copy for the test alone."""

    def play(name: str) -> Played:
        if name not in plays:
            world = tmp_path_factory.mktemp("played") / name
            shutil.copytree(DEMO_WORLDS / name, world, ignore=shutil.ignore_patterns("store"))
            plays[name] = Played(world, *run_json(world, "--proposer", "replay"))
        return plays[name]._replace(world=shutil.copytree(plays[name].world, tmp_path / name))

    return play


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
