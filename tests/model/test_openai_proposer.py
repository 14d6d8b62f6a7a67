"""One answer of a model through the Responses API: what is asked, and what is made of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.actions import EVALUATE, TEXT
from fakes.listener import Ear
from fakes.provider import KEY

from jiti_tui.model.action import Evaluate, Resume
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings

Make = Callable[..., OpenAIProposer]


async def test_a_streamed_answer(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.answer(TEXT, pieces=40))
    ear = Ear()
    answer = await make().propose(idle, ear)
    assert answer.action == Evaluate(**EVALUATE)
    assert answer.raw == {"action": EVALUATE}
    assert (answer.invalid, answer.tokens, answer.transcript_line) == ("", Tokens(40, 0, 2), None)
    assert len(ear.told) > 2
    assert ear.told[-1] == EVALUATE["rationale"]
    assert all(ear.told[-1].startswith(text) for text in ear.told)


async def test_what_is_sent(provider: Any, make: Make, idle: View, paused: View) -> None:
    resume = {"kind": "resume", "generation": 5, "rationale": "", "restart": "1/1", "arguments": ["0.02"]}
    provider.script(provider.answer(TEXT), provider.answer(json.dumps({"action": resume})))
    settings = ModelSettings(model="gpt-5.1-mini", reasoning_effort="low", max_output_tokens=999, temperature=0.5)
    proposer = make(settings)
    await proposer.propose(idle, Ear())
    answer = await proposer.propose(paused, Ear())
    assert answer.action == Resume(generation=5, restart="1/1", arguments=("0.02",))
    first, second = provider.requests
    assert {
        key: first[key] for key in ("model", "store", "stream", "max_output_tokens", "temperature", "reasoning")
    } == {
        "model": "gpt-5.1-mini",
        "store": False,
        "stream": True,
        "max_output_tokens": 999,
        "temperature": 0.5,
        "reasoning": {"effort": "low"},
    }
    assert first["prompt_cache_key"] == second["prompt_cache_key"]
    assert len(first["prompt_cache_key"]) <= 64
    assert "worlds" not in first["prompt_cache_key"]
    assert first["instructions"] == second["instructions"]
    assert "UNBOUND-VARIABLE" in second["input"]
    assert KEY not in json.dumps(provider.requests)


async def test_what_is_not_set_is_left_to_the_provider(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.answer(TEXT))
    await make().propose(idle, Ear())
    assert not {"temperature", "reasoning"} & set(provider.requests[0])


async def test_commentary_is_no_part_of_the_answer(provider: Any, make: Make, idle: View, answer_events: Any) -> None:
    place = {"item_id": "msg_0", "output_index": 0, "content_index": 0}
    said = {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "phase": "commentary"}
    part = {"type": "output_text", "text": "Let me see.", "annotations": []}
    events = answer_events(TEXT)
    output = events[-1]["response"]["output"]
    output[-1]["phase"] = "final_answer"
    output.insert(0, {**said, "content": [part]})
    events[1:1] = [
        {"type": "response.output_item.added", "output_index": 0, "item": {**said, "content": []}},
        {"type": "response.output_text.delta", **place, "delta": "Let me see.", "logprobs": []},
    ]
    provider.script(provider.stream(*events))
    ear = Ear()
    answer = await make().propose(idle, ear)
    assert answer.action == Evaluate(**EVALUATE)
    assert ear.told[-1] == EVALUATE["rationale"]


async def test_a_server_that_leaves_fields_out(provider: Any, make: Make, idle: View) -> None:
    provider.script(
        provider.stream(
            {"type": "response.output_text.delta", "delta": TEXT[:30]},
            {"type": "response.output_text.delta", "delta": TEXT[30:]},
            {"type": "response.completed"},
        )
    )
    answer = await make().propose(idle, Ear())
    assert answer.action == Evaluate(**EVALUATE)
    assert answer.tokens.estimated == answer.tokens.total > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(defun f ())", "not JSON"),
        (TEXT[:-3], "not JSON"),
        ('{"action": {"kind": "repair", "generation": 4, "rationale": "", "forms": "1"}}', "cannot be carried out now"),
        ('{"action": {"kind": "evaluate", "generation": null, "rationale": "", "forms": "1"}}', "generation"),
    ],
)
async def test_an_answer_that_breaks_the_schema_is_invalid(
    provider: Any, make: Make, idle: View, text: str, reason: str
) -> None:
    provider.script(provider.answer(text))
    answer = await make().propose(idle, Ear())
    assert answer.action is None
    assert reason in answer.invalid
    assert answer.tokens == Tokens(40, 0, 2)


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        (None, "openai gpt-5.1"),
        ("http://me:secret@localhost:8080/v1", "openai gpt-5.1 at localhost:8080"),
    ],
)
def test_the_name_says_who_is_asked(base_url: str | None, name: str) -> None:
    proposer = OpenAIProposer(ModelSettings(), KEY, base_url, Path("w"))
    assert (proposer.name, proposer.recorded, proposer.costs_money) == (name, False, True)
