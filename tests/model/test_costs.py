"""What calls cost that end without an answer: the provider's count where there is one, else an estimate."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from fakes.actions import EVALUATE, TEXT
from fakes.listener import Ear
from werkzeug import Response

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import Evaluate
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import NONE, Tokens, estimate
from jiti_tui.model.view import View
from jiti_tui.model_settings import Prices

Make = Callable[..., OpenAIProposer]


async def cancelled(proposer: OpenAIProposer, view: View, ear: Ear) -> None:
    """Ask, and cancel as soon as something is heard."""
    call = asyncio.create_task(proposer.propose(view, ear))
    await asyncio.wait_for(ear.begun.wait(), 20)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_a_cancelled_call_costs_what_was_sent_and_what_has_come(
    provider: Any, make: Make, idle: View, answer_events: Any
) -> None:
    events = answer_events(TEXT, 40)[:30]
    provider.script(provider.drip(*events))
    ear = Ear()
    await cancelled(make(prices=Prices(input=500_000.0, output=1_000_000.0)), idle, ear)
    body = provider.requests[0]
    sent = estimate(body["instructions"] + body["input"])
    schema = estimate(json.dumps(body["text"]))
    assert ear.cost.estimated == ear.cost.total
    assert sent < ear.cost.input < sent + 2 * schema
    assert 0 < ear.cost.output <= estimate(TEXT)
    assert ear.cost.cached == 0
    assert ear.money == ear.cost.input / 2 + ear.cost.output


async def test_the_next_estimate_goes_by_the_providers_last_count(
    provider: Any, make: Make, idle: View, answer_events: Any
) -> None:
    provider.script(provider.answer(TEXT, tokens=1202), provider.drip(*answer_events(TEXT, 40)[:30]))
    proposer, ear = make(), Ear()
    await proposer.propose(idle, Ear())
    await cancelled(proposer, idle, ear)
    assert ear.cost.input == 1200


async def test_a_count_without_a_prompt_corrects_nothing(
    provider: Any, make: Make, idle: View, answer_events: Any
) -> None:
    counts_output = answer_events(TEXT, 40)
    counts_output[-1]["response"]["usage"] = {"input_tokens": 0, "output_tokens": 7, "total_tokens": 7}
    provider.script(provider.stream(*counts_output), provider.drip(*answer_events(TEXT, 40)[:30]))
    proposer, ear = make(), Ear()
    await proposer.propose(idle, Ear())
    await cancelled(proposer, idle, ear)
    assert ear.cost.input > estimate(provider.requests[0]["input"])


async def test_a_wait_between_tries_costs_nothing(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.error(503, headers={"Retry-After": "20"}))
    ear = Ear(patient=True)
    await cancelled(make(), idle, ear)
    assert (ear.cost, ear.money) == (NONE, 0.0)


async def test_a_stream_that_breaks_off_is_paid_for_beside_the_answer(
    provider: Any, make: Make, idle: View, answer_events: Any
) -> None:
    broken = answer_events(TEXT, 40)[:20]
    provider.script(provider.stream(*broken), provider.answer(TEXT))
    ear = Ear()
    answer = await make().propose(idle, ear)
    assert (answer.action, answer.tokens) == (Evaluate(**EVALUATE), Tokens(40, 0, 2))
    assert ear.cost.estimated == ear.cost.total > estimate(provider.requests[0]["input"])
    assert ear.cost.output > 10


async def test_a_deadline_is_paid_for(provider: Any, make: Make, idle: View, answer_events: Any) -> None:
    provider.script(provider.answer(TEXT), provider.drip(*answer_events(TEXT)[:3]))
    await make().propose(idle, Ear())
    ear = Ear()
    with pytest.raises(ProposerError, match="no answer within 2 seconds"):
        await make(seconds=2.0).propose(idle, ear)
    assert ear.cost.estimated == ear.cost.total > 0


async def test_a_failure_that_the_provider_counts_is_no_estimate(provider: Any, make: Make, idle: View) -> None:
    usage = {"input_tokens": 900, "output_tokens": 50, "total_tokens": 950}
    response = {"status": "failed", "error": {"code": "server_error", "message": "Oops."}, "usage": usage}
    provider.script(provider.stream({"type": "response.failed", "response": response}), provider.answer(TEXT))
    ear = Ear()
    await make().propose(idle, ear)
    assert ear.cost == Tokens(900, 0, 50)


@pytest.mark.parametrize(("status", "body"), [(401, "{}"), (500, "{}"), (200, "<html>Log in</html>")])
async def test_a_call_that_is_turned_away_costs_nothing(
    provider: Any, make: Make, idle: View, status: int, body: str
) -> None:
    provider.script(*[lambda _: Response(body, status, content_type="text/html")] * 5)
    ear = Ear()
    with pytest.raises(ProposerError):
        await make().propose(idle, ear)
    assert ear.cost == NONE


async def test_a_server_that_is_not_there_costs_nothing(make: Make, idle: View) -> None:
    ear = Ear()
    with pytest.raises(ProposerError):
        await make(base_url="http://127.0.0.1:9/v1").propose(idle, ear)
    assert ear.cost == NONE
