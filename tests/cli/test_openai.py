"""The demo's requests met by a model behind a real HTTP server, without a hand on the keyboard."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.provider import KEY, Provider, as_model
from werkzeug import Request, Response

Run = Callable[..., tuple[list[dict[str, Any]], int]]


@pytest.fixture
def environment(environment: dict[str, str], provider: Provider) -> dict[str, str]:
    """That of a user whose key is for the test's own server."""
    return environment | {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.base_url}


def test_a_model_meets_the_requests(sales_tax: Path, provider: Provider, run_json: Run) -> None:
    lines = (sales_tax / "transcript.jsonl").read_text().splitlines()
    busy = provider.error(429, "rate_limit_exceeded", {"Retry-After": "0"})
    provider.script(busy, *(as_model(provider, line) for line in lines))
    events, code = run_json(sales_tax)
    names = [event["event"] for event in events]
    assert (code, names[-1], events[-1]["revision"], events[-1]["generation"]) == (0, "goals-met", 3, 8)
    assert [names.count(name) for name in ("stale", "restored", "paused", "accepted")] == [1, 1, 1, 3]
    assert len(provider.requests) == 1 + len(lines)
    told = json.dumps(provider.requests[-4])
    assert "food total is never below price" in told
    for file in (sales_tax / "store").rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes()


def test_a_quota_that_is_used_up_ends_the_run_with_4(sales_tax: Path, provider: Provider, run_json: Run) -> None:
    provider.script(provider.error(429, "insufficient_quota"))
    events, code = run_json(sales_tax)
    assert [event["event"] for event in events[-2:]] == ["error", "stopped"]
    assert (code, events[-2]["family"], KEY in json.dumps(events)) == (4, "quota", False)


def test_saved_goals_drop_the_call_under_way(sales_tax: Path, provider: Provider, run_json: Run) -> None:
    goals, log = sales_tax / "goals.lisp", sales_tax / "store" / "events.sexp"
    first = (sales_tax / "transcript.jsonl").read_text().splitlines()[0]
    answer = as_model(provider, first)

    def save_first(request: Request) -> Response:
        goals.write_text(goals.read_text() + '\n(goal "one more" t)\n')
        end = time.monotonic() + 20
        while b'"reloaded"' not in log.read_bytes():
            assert time.monotonic() < end, "the saved file was not read again"
            select.select([], [], [], 0.02)
        return answer(request)

    provider.script(save_first, answer)
    events, code = run_json(sales_tax, "--max-attempts", "1")
    told = [(event["event"], event["generation"]) for event in events]
    assert told[2:5] == [("reloaded", 1), ("proposal", 1), ("attempt", 1)]
    assert (len(provider.requests), events[-1]["revision"], code) == (2, 1, 1)


def test_data_and_a_counter_survive_a_kill(
    sales_tax: Path, provider: Provider, run_json: Run, jiti: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    forms = '(defvar *count* 0) (incf *count* 41) (incf *count*) (setf (jiti:value :seen) (list *count* \'a "b"))'
    evaluate = json.dumps({"action": {"kind": "evaluate", "generation": None, "rationale": "Count.", "forms": forms}})

    def die(_: Request) -> Response:
        for stat in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if str(sales_tax).encode() in stat.read_bytes():
                    os.kill(int(stat.parent.name), signal.SIGKILL)
        return Response(status=500)

    provider.script(as_model(provider, evaluate), die)
    _, code = run_json(sales_tax, "--request", "Count.")
    assert code == -signal.SIGKILL
    value = jiti("eval", sales_tax, "(list *count* (jiti:value :seen))")
    assert value.stdout.splitlines()[-1] == '(42 (42 A "b"))'
