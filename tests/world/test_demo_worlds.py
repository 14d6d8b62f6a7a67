"""The demo worlds read, and their recorded answers are actions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jiti_tui.world.check_files import read_check_files
from jiti_tui.world.folder import read_world
from jiti_tui.world.requests import Goal, resolve_requests

DEMO_WORLDS = Path(__file__).parents[2] / "demo_worlds"


def _suite(name: str) -> str:
    """The suite that the name of a goal says: `suite NAME`, or `NAME: test`."""
    return name.removeprefix("suite ").partition(":")[0]


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in DEMO_WORLDS.glob("*/world.toml")), ids=lambda p: p.name
)
def test_a_demo_world_reads(folder: Path) -> None:
    world = read_world(folder)
    files = read_check_files(world)
    named = [name for request in world.requests for name in (*(request.goals or ()), *request.invariants)]
    text = "".join(file.text for file in (*files.goals, *files.invariants))
    assert all(f'"{name}"' in text or f"(suite :{_suite(name)})" in text for name in named)
    resolve_requests(world, [Goal(name) for name in named], named)


def test_the_sales_tax_story_is_the_documented_one() -> None:
    world = read_world(DEMO_WORLDS / "sales_tax")
    assert [request.text for request in world.requests] == [
        "Create a sales-tax calculator using a 5% tax rate.",
        "Support different tax rates.",
        "Use different rates for food and non-food items.",
    ]
    assert world.transcript
    actions = [json.loads(line)["action"] for line in world.transcript.read_text().splitlines()]
    assert [action["kind"] for action in actions] == ["evaluate"] * 5 + ["repair", "resume"]
    assert [action["generation"] for action in actions] == [None, 1, None, None, None, None, None]
