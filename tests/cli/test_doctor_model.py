"""`jiti-tui doctor --model`: one tiny call, and what of it works."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.provider import KEY, Provider, answer_events

Jiti = Callable[..., subprocess.CompletedProcess[str]]

INSPECT = {"kind": "inspect", "generation": 1, "rationale": "A test of the connection.", "expression": "(+ 1 1)"}


@pytest.fixture
def environment(environment: dict[str, str], provider: Provider) -> dict[str, str]:
    return environment | {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": provider.base_url}


def test_what_works_is_said(provider: Provider, jiti: Jiti) -> None:
    provider.script(provider.answer(json.dumps({"action": INSPECT}), pieces=40))
    ended = jiti("doctor", "--model")
    assert ended.returncode == 0
    for line in (
        "answers through the Responses API",
        "The answer follows the schema: inspect.",
        "The rationale arrives while it is written.",
        "40 in (0 cached), 2 out.",
    ):
        assert line in ended.stdout
    assert len(provider.requests) == 1


def test_the_settings_of_a_world_count(sales_tax: Path, provider: Provider, jiti: Jiti) -> None:
    toml = sales_tax / "world.toml"
    toml.write_text(toml.read_text() + '\n[model]\napi = "chat"\nmodel = "tiny"\n')
    provider.script(provider.chat_answer("no JSON"))
    ended = jiti("doctor", "--model", sales_tax)
    assert ended.returncode == 0
    assert "openai tiny at" in ended.stdout
    assert "answers through the Chat API" in ended.stdout
    assert "The answer is no action: The answer is not JSON" in ended.stdout
    assert provider.requests[0]["model"] == "tiny"


def test_a_model_that_does_not_answer(provider: Provider, jiti: Jiti) -> None:
    provider.script(provider.error(503))
    ended = jiti("doctor", "--model")
    assert (ended.returncode, len(provider.requests)) == (4, 1)
    assert "busy or broken, status 503" in ended.stdout
    assert KEY not in ended.stdout + ended.stderr


def test_a_server_that_counts_no_tokens(provider: Provider, jiti: Jiti) -> None:
    events = answer_events(json.dumps({"action": INSPECT}))
    del events[-1]["response"]["usage"]
    provider.script(provider.stream(*events))
    assert "The provider counts none: budgets go by an estimate" in jiti("doctor", "--model").stdout
