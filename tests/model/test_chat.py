"""The Chat API, which llama.cpp, Ollama and vLLM serve too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fakes.chat import chat_chunks, chunk
from fakes.listener import Ear
from werkzeug import Response

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import Evaluate
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings

EVALUATE = {"kind": "evaluate", "generation": 4, "rationale": "Two rates.", "forms": "(defun f ())"}
TEXT = json.dumps({"action": EVALUATE})

Make = Callable[..., OpenAIProposer]


@pytest_asyncio.fixture
async def make(provider: Any) -> AsyncIterator[Make]:
    made: list[OpenAIProposer] = []

    def make_proposer(**settings: Any) -> OpenAIProposer:
        asked = ModelSettings(api="chat", model="local", seconds=30.0, **settings)
        made.append(OpenAIProposer(asked, provider.key or "", provider.base_url, Path("/w"), first_pause=0.01))
        return made[-1]

    yield make_proposer
    for proposer in made:
        await proposer.close()


async def test_a_streamed_answer(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.chat(*chat_chunks(TEXT, 40)))
    ear = Ear()
    answer = await make().propose(idle, ear)
    assert answer.action == Evaluate(**EVALUATE)
    assert answer.tokens == Tokens(40, 0, 2)
    assert ear.told[-1] == "Two rates."


async def test_what_is_sent(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.chat_answer(TEXT))
    await make(temperature=0.5, max_output_tokens=999, reasoning_effort="low").propose(idle, Ear())
    body = provider.requests[0]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    sent = {key: body[key] for key in ("model", "max_tokens", "temperature", "reasoning_effort", "stream")}
    assert sent == {
        "model": "local",
        "max_tokens": 999,
        "temperature": 0.5,
        "reasoning_effort": "low",
        "stream": True,
    }
    branch = body["response_format"]["json_schema"]["schema"]["properties"]["action"]["anyOf"][0]
    assert branch["properties"]["generation"]["enum"] == [idle.generation]


async def test_a_server_that_wants_no_key_gets_none(
    provider: Any, make: Make, idle: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    provider.key = None
    provider.script(provider.chat_answer(TEXT))
    assert (await make().propose(idle, Ear())).action == Evaluate(**EVALUATE)


async def test_a_server_that_leaves_fields_out(provider: Any, make: Make, idle: View) -> None:
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    provider.script(provider.chat({"choices": [{"delta": {"content": TEXT}}]}, end))
    answer = await make().propose(idle, Ear())
    assert answer.action == Evaluate(**EVALUATE)
    assert answer.tokens.estimated == answer.tokens.total > 0


@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        (chat_chunks(TEXT[:20], ended="length"), "must be shorter"),
        (chat_chunks("", ended="content_filter"), "content filter"),
        ([chunk(refusal="I will "), chunk(refusal="not."), chunk(ended="stop")], "The model refuses: I will not."),
        (chat_chunks("(defun f ())"), "not JSON"),
        (chat_chunks(json.dumps({"action": {**EVALUATE, "kind": "repair"}})), "cannot be carried out now"),
    ],
)
async def test_an_answer_that_is_no_action_is_told_back(
    provider: Any, make: Make, idle: View, chunks: list[dict[str, Any]], reason: str
) -> None:
    provider.script(provider.chat(*chunks))
    answer = await make().propose(idle, Ear())
    assert answer.action is None
    assert reason in answer.invalid


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([chunk(TEXT)], ("protocol", "ended before the answer was complete")),
        ([chunk(ended="stop")], ("protocol", "no message")),
        ([chunk(TEXT), chunk(ended="tool_calls")], ("protocol", "ended its answer by tool_calls")),
        ([{"error": {"message": "CUDA is out.", "code": 500}}], ("failed", "CUDA is out")),
    ],
)
async def test_how_a_stream_can_end(
    provider: Any, make: Make, idle: View, chunks: list[dict[str, Any]], expected: tuple[str, str]
) -> None:
    provider.script(*[provider.chat(*chunks)] * 3)
    with pytest.raises(ProposerError) as raised:
        await make().propose(idle, Ear())
    assert raised.value.family == expected[0]
    assert expected[1] in str(raised.value)


async def test_a_page_instead_of_an_answer(provider: Any, make: Make, idle: View) -> None:
    provider.script(*[lambda _: Response("<html>Log in</html>", content_type="text/html")] * 3)
    with pytest.raises(ProposerError) as raised:
        await make().propose(idle, Ear())
    assert raised.value.family == "protocol"


async def test_a_broken_stream_is_asked_for_again(provider: Any, make: Make, idle: View) -> None:
    provider.script(provider.chat(chunk(TEXT[:9])), provider.error(503), provider.chat_answer(TEXT))
    ear = Ear()
    assert (await make().propose(idle, ear)).action == Evaluate(**EVALUATE)
    assert ["ended before" in reason for _, reason in ear.waits] == [True, False]
