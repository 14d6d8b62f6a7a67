"""The demo's story without a screen: every event, generation and revision of it, and its recovery."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]

STORY = [
    ("session", 0, 0),
    ("request", 0, 0),
    ("proposal", 0, 0),
    ("attempt", 0, 0),
    ("value", 0, 0),
    ("checked", 0, 0),
    ("published", 0, 1),
    ("accepted", 1, 1),
    ("goals-met", 1, 1),
    ("request", 2, 1),
    ("proposal", 2, 1),
    ("stale", 2, 1),
    ("proposal", 2, 1),
    ("attempt", 2, 1),
    ("value", 2, 1),
    ("checked", 2, 1),
    ("published", 2, 2),
    ("accepted", 3, 2),
    ("goals-met", 3, 2),
    ("request", 4, 2),
    ("proposal", 4, 2),
    ("attempt", 4, 2),
    ("value", 4, 2),
    ("checked", 4, 2),
    ("restored", 4, 2),
    ("proposal", 4, 2),
    ("attempt", 4, 2),
    ("paused", 5, 2),
    ("proposal", 5, 2),
    ("repaired", 6, 2),
    ("proposal", 6, 2),
    ("resumed", 7, 2),
    ("value", 7, 2),
    ("checked", 7, 2),
    ("published", 7, 3),
    ("accepted", 8, 3),
    ("goals-met", 8, 3),
]


def test_story(sales_tax: Path, run_json: Run) -> None:
    events, code = run_json(sales_tax)
    assert [(event["event"], event["generation"], event["revision"]) for event in events] == STORY
    assert code == 0
    by_name: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        by_name.setdefault(event["event"], []).append(event)
    assert by_name["stale"][0]["action_generation"] == 1
    assert "food total is never below price" in by_name["restored"][0]["reason"]
    paused = by_name["paused"][0]
    assert (paused["level"], paused["type"]) == (0, "UNDEFINED-FUNCTION")
    assert [restart["id"] for restart in paused["restarts"]] == [f"0/{n}" for n in range(len(paused["restarts"]))]
    assert paused["restarts"][-1]["name"] == "abandon"
    assert by_name["resumed"][0]["arguments"] == []
    assert all(check["ok"] for check in by_name["checked"][-1]["goals"] + by_name["checked"][-1]["invariants"])
    assert by_name["checked"][-1]["goals"][-2]["detail"] == "(total-price 100.00 :food) => 102.0"
    failed = [check for check in by_name["checked"][2]["invariants"] if not check["ok"]]
    assert [check["name"] for check in failed] == ["food total is never below price"]
    assert by_name["checked"][2]["goals"] == []
    assert failed[0]["detail"] == "(total-price 100.00 :food) => 98.0"


def test_recovered_revision_answers_as_the_accepted_one_did(sales_tax: Path, run_json: Run, jiti: Jiti) -> None:
    run_json(sales_tax)
    again, code = run_json(sales_tax)
    assert [(event["event"], event["generation"], event["revision"]) for event in again] == [
        ("session", 8, 3),
        ("goals-met", 8, 3),
    ]
    assert (again[0]["recovered"], code) == (True, 0)
    for form, value in (("(total-price 100.00 :food)", "102.0"), ("(total-price 100.00 :clothing)", "108.0")):
        answer = jiti("eval", sales_tax, form)
        assert (answer.stdout.splitlines()[-1], answer.returncode) == (value, 0)
    assert jiti("verify", sales_tax).returncode == 0
    revisions = jiti("history", sales_tax).stdout.splitlines()
    assert [line.split()[0] for line in revisions] == ["3", "2", "1", "0"]


def test_story_without_json_is_told_in_sentences(sales_tax: Path, jiti: Jiti) -> None:
    told = jiti("run", sales_tax)
    assert told.returncode == 0
    assert "request 3 is met" in told.stdout
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("last", ["attempt", "paused", "repaired", "checked", "published", "accepted"])
def test_killed_at_an_event(last: str, sales_tax: Path, run_json: Run, environment: dict[str, str]) -> None:
    """SIGKILL right after an event was reported: what was accepted is there, and the session goes on to the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jiti_tui", "run", sales_tax, "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        if f'"event":"{last}"' in line and (seen := seen + 1) == (3 if last in ("attempt", "checked") else 1):
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    events, code = run_json(sales_tax)
    assert events[0]["recovered"]
    assert events[0]["revision"] >= {"attempt": 2, "paused": 2, "repaired": 2, "checked": 2}.get(last, 1)
    assert code in (0, 1)
    assert [event["event"] for event in events[1:2]] in (["lost"], ["request"], ["goals-met"])


def test_repeated_run_is_told_from_the_log(sales_tax: Path, run_json: Run) -> None:
    """A fresh store in another place knows nothing of this one."""
    run_json(sales_tax)
    events, code = run_json(sales_tax, "--store", sales_tax.parent / "elsewhere")
    assert (events[0]["recovered"], events[-1]["revision"], code) == (False, 3, 0)
