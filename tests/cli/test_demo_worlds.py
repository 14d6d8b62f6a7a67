"""Every demo world plays through without a screen: all goals met, and what is on disk is whole."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]

DEMO_WORLDS = Path(__file__).parents[2] / "demo_worlds"
NAMES = sorted(path.parent.name for path in DEMO_WORLDS.glob("*/transcript.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_a_demo_world_plays_through(name: str, played: Callable[[str], Any], run_json: Run, jiti: Jiti) -> None:
    world, events, code = played(name)
    assert code == 0, events[-1]
    requests = [event for event in events if event["event"] == "request"]
    assert [event["request"] for event in events if event["event"] == "goals-met"] == [
        request["number"] for request in requests
    ]
    assert jiti("verify", world).returncode == 0
    again, code = run_json(world, "--proposer", "replay")
    assert ([event["event"] for event in again], code) == (["session", "goals-met"], 0)
