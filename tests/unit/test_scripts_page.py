"""docs/scripts.md tells every event and field that comes with `--json`."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scripts.md").read_text()

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]


def rows(title: str) -> dict[str, set[str]]:
    """The first cell of each row below a heading, with all that stands in backquotes behind it."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    found = re.findall(r"^\| `([\w-]+)` \|(.*)\|$", section, re.MULTILINE)
    return {name: set(re.findall(r"`([\w-]+)`", rest)) for name, rest in found}


def names_in(value: object) -> set[str]:
    """The names of all fields of an object and of the objects in its lists."""
    if isinstance(value, list):
        return set().union(*map(names_in, value))
    if isinstance(value, dict):
        return set(value).union(*(names_in(item) for item in value.values() if isinstance(item, list)))
    return set()


def test_each_event_that_the_engine_emits_is_told_of() -> None:
    emitted = {
        name
        for path in (ROOT / "jiti_tui" / "engine").rglob("*.py")
        for name in re.findall(r"\.emit\(\s*\"([\w-]+)\"", path.read_text())
    }
    assert emitted == set(rows("`run`"))


@pytest.fixture
def story(sales_tax: Path, run_json: Run) -> list[dict[str, Any]]:
    events, code = run_json(sales_tax)
    assert code == 0
    return events


def test_each_field_of_the_demo_and_of_what_is_asked_about_it_is_told_of(
    story: list[dict[str, Any]], sales_tax: Path, tmp_path: Path, jiti: Jiti
) -> None:
    common = {"event", "time", "generation", "revision"}
    events = rows("`run`")
    for event in story:
        assert names_in(event) - common <= events[event["event"]], event
    others = rows("The other commands")
    others["show"] |= others["history"]
    for command in (
        "history",
        "show 3",
        "diff 2 3",
        f"export 3 {tmp_path / 'project'}",
        "replay",
        "revert 1",
        "prune --keep 2",
        "recover",
    ):
        name, *rest = command.split()
        ended = jiti(name, sales_tax, *rest, "--json")
        for line in ended.stdout.splitlines():
            told = json.loads(line)
            told.pop("events", None)  # these are the table above
            assert names_in(told) - {"bytes", "sha256"} <= others[name], line
