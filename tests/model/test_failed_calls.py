"""Calls that fail: which are made again, how often, and how long they may take with all that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from fakes.actions import EVALUATE, TEXT
from fakes.listener import Ear

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import Evaluate
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.view import View

Make = Callable[..., OpenAIProposer]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ((400, "invalid_json_schema"), ("configuration", "status 400")),
        ((400, "context_length_exceeded"), ("configuration", "too long for the model")),
        ((401, "invalid_api_key"), ("configuration", "check OPENAI_API_KEY")),
        ((402, None), ("quota", "quota is used up")),
        ((403, None), ("configuration", "may not do this")),
        ((404, "model_not_found"), ("configuration", "check model and base_url")),
        ((422, None), ("configuration", "status 422")),
        ((429, "insufficient_quota"), ("quota", "quota is used up")),
    ],
)
async def test_a_call_that_is_refused_is_not_repeated(
    provider: Any, make: Make, idle: View, error: tuple[int, str | None], expected: tuple[str, str]
) -> None:
    provider.script(provider.error(*error))
    with pytest.raises(ProposerError) as raised:
        await make().propose(idle, Ear())
    assert raised.value.family == expected[0]
    assert expected[1] in str(raised.value)
    assert "sk-" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_a_transient_failure_is_tried_again(provider: Any, make: Make, idle: View, status: int) -> None:
    provider.script(provider.error(status), provider.error(status, headers={"Retry-After": "0"}), provider.answer(TEXT))
    answer = await make().propose(idle, Ear())
    assert answer.action == Evaluate(**EVALUATE)
    assert len(provider.requests) == 3


async def test_tries_are_bounded(provider: Any, make: Make, idle: View) -> None:
    provider.script(*[provider.error(500)] * 9)
    ear = Ear()
    with pytest.raises(ProposerError, match="status 500") as raised:
        await make().propose(idle, ear)
    assert raised.value.family == "transient"
    assert len(provider.requests) == 5
    waits = [seconds for seconds, _ in ear.waits]
    assert len(waits) == 4
    assert waits == sorted(waits)
    assert all("status 500" in reason for _, reason in ear.waits)


@pytest.mark.parametrize("wait", ["121", "25"])
async def test_a_wait_that_is_too_long_is_left_to_the_operator(
    provider: Any, make: Make, idle: View, wait: str
) -> None:
    provider.script(provider.error(429, headers={"Retry-After": wait}))
    with pytest.raises(ProposerError) as raised:
        await make(seconds=20.0).propose(idle, Ear())
    assert (raised.value.family, raised.value.retry_after) == ("transient", float(wait))


async def test_a_server_that_is_not_there(make: Make, idle: View) -> None:
    with pytest.raises(ProposerError, match=r"connection to 127\.0\.0\.1:9 failed.*OPENAI_BASE_URL") as raised:
        await make(base_url="http://127.0.0.1:9/v1").propose(idle, Ear())
    assert raised.value.family == "transient"


async def test_a_body_that_drips_meets_the_deadline(provider: Any, make: Make, idle: View, answer_events: Any) -> None:
    warm = make()
    provider.script(provider.answer(TEXT), provider.drip(*answer_events(TEXT)[:3]))
    await warm.propose(idle, Ear())
    with pytest.raises(ProposerError, match="no answer within 2 seconds") as raised:
        await make(seconds=2.0).propose(idle, Ear())
    assert raised.value.family == "deadline"
    assert await asyncio.to_thread(provider.closed.wait, 10)
