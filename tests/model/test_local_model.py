"""A real llama.cpp server with a small model, run by `make test-model`: unmodified parts speak to each other.

SmolLM2 writes JSON under a grammar and nonsense Lisp: this says nothing about the quality of answers.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from fakes.listener import Ear

from jiti_tui.model.action import Evaluate, Finish, Inspect
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings

PYTHON = os.environ.get("JITI_MODEL_PYTHON")
SCRIPT = Path(__file__).parents[1] / "fakes" / "llama_server.py"

pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="make test-model runs it: it needs a model of 93 MB"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    assert PYTHON
    server = subprocess.Popen(
        [PYTHON, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout
    assert server.stdin
    port = server.stdout.readline().strip()
    assert port, "the server has not started"
    yield f"http://127.0.0.1:{port}/v1"
    server.stdin.close()
    server.wait(30)


def settings(address: str, api: Literal["chat", "responses"] = "chat") -> ModelSettings:
    return ModelSettings(
        api=api,
        model="smollm2",
        base_url=address,
        temperature=0.0,
        view_tokens=2_000,
        max_output_tokens=256,
        seconds=600.0,
    )


async def test_a_small_model_follows_the_schema_and_its_slot_is_freed(address: str, idle: View) -> None:
    proposer = OpenAIProposer(settings(address), "", address, Path("/w"))
    assert not proposer.costs_money
    ear = Ear()
    call = asyncio.create_task(proposer.propose(idle, ear))
    await asyncio.wait_for(ear.begun.wait(), 600)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    # The only slot would be taken for minutes more, were the call still read.
    answer = await proposer.propose(idle, ear)
    await proposer.close()
    assert ear.waits == []
    assert answer.tokens.input > 500
    assert answer.tokens.output > 10
    if answer.action is None:
        assert "must be shorter" in answer.invalid
    else:
        assert isinstance(answer.action, Evaluate | Inspect | Finish)
        assert answer.action.generation == idle.generation


async def test_what_its_responses_api_answers_without_the_schema_is_judged_all_the_same(
    address: str, idle: View
) -> None:
    proposer = OpenAIProposer(settings(address, "responses"), "", address, Path("/w"))
    ear = Ear()
    answer = await proposer.propose(idle, ear)
    await proposer.close()
    assert (ear.waits, answer.tokens.estimated) == ([], 0)
    assert answer.tokens.input > 500
    assert (answer.action is None) == bool(answer.invalid)


def test_a_session_works_with_it(
    address: str, tmp_path: Path, run_json: Callable[..., tuple[list[dict[str, Any]], int]]
) -> None:
    (tmp_path / "world.toml").write_text(
        'packages = ["SMALL"]\n[[requests]]\ntext = "Define twice."\ngoals = ["twice"]\n'
        f'[model]\napi = "chat"\nmodel = "smollm2"\nbase_url = "{address}"\ntemperature = 0.0\n'
        "view_tokens = 2000\nmax_output_tokens = 256\n"
    )
    (tmp_path / "goals.lisp").write_text('(goal "twice" (= (twice 2) 4))\n')
    (tmp_path / "invariants.lisp").write_text("")
    events, code = run_json(tmp_path, "--max-attempts", "1")
    said = next(event for event in events if event["event"] == "proposal")
    assert said["origin"].startswith("openai smollm2 at 127.0.0.1")
    assert said["tokens"] > 500
    assert "error" not in {event["event"] for event in events}
    # Whether so small a model meets the goal is nobody's concern: it was heard, and stopped at its limit.
    assert code in (0, 1), json.dumps(events)
