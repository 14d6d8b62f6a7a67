"""How long is waited before a call is made again."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest
from fakes.actions import EVALUATE, TEXT
from fakes.listener import Ear

from jiti_tui.model.action import Evaluate
from jiti_tui.model.backoff import LONGEST, pause, retry_after
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.view import View


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_what_a_provider_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_provider_may_name_a_time() -> None:
    asked = retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert asked is not None
    assert 0 < asked <= 60


def test_otherwise_the_wait_doubles_with_jitter_up_to_a_bound() -> None:
    for failures, longest in ((1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0)):
        waits = {pause(failures, None, 0.5) for _ in range(50)}
        assert len(waits) > 1
        assert 0.75 * longest <= min(waits) <= max(waits) <= longest
    assert max(pause(99, None, 0.5) for _ in range(50)) <= LONGEST
    assert pause(3, 7.0, 0.5) == 7.0


async def test_what_the_provider_asks_for_is_waited(
    provider: Any, make: Callable[..., OpenAIProposer], idle: View
) -> None:
    provider.script(provider.error(429, headers={"Retry-After": "7"}), provider.answer(TEXT))
    ear = Ear()
    answer = await make().propose(idle, ear)
    assert answer.action == Evaluate(**EVALUATE)
    assert [seconds for seconds, _ in ear.waits] == [7.0]
