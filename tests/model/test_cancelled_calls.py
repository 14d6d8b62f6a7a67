"""Calls that are cancelled: nothing is waited for, and the server is left alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from fakes.actions import EVALUATE, TEXT
from fakes.listener import Ear

from jiti_tui.model.action import Evaluate
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.view import View

Make = Callable[..., OpenAIProposer]


async def test_cancelling_closes_the_connection_at_once(
    provider: Any, make: Make, idle: View, answer_events: Any
) -> None:
    provider.script(provider.drip(*answer_events(TEXT, 40)[:30]), provider.answer(TEXT))
    proposer = make()
    ear = Ear(patient=True)
    call = asyncio.create_task(proposer.propose(idle, ear))
    await asyncio.wait_for(ear.begun.wait(), 20)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(provider.closed.wait, 10)
    assert (await proposer.propose(idle, Ear())).action == Evaluate(**EVALUATE)


async def test_cancelling_ends_a_pause_between_tries(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.error(503, headers={"Retry-After": "20"}))
    ear = Ear(patient=True)
    call = asyncio.create_task(make().propose(idle, ear))
    await asyncio.wait_for(ear.begun.wait(), 20)
    start = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - start < 10
