from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fakes.listener import Ear
from werkzeug import Response

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import Evaluate, Resume
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings

KEY = "sk-test-0123456789abcdef"
EVALUATE = {"kind": "evaluate", "generation": 4, "rationale": 'Two "rates" \u2014 one each.', "forms": "(defun f ())\n"}
TEXT = json.dumps({"action": EVALUATE})

Make = Callable[..., OpenAIProposer]


@pytest_asyncio.fixture
async def make(provider: Any) -> AsyncIterator[Make]:
    made: list[OpenAIProposer] = []

    def make_proposer(
        settings: ModelSettings | None = None, base_url: str | None = None, **options: Any
    ) -> OpenAIProposer:
        url = base_url or provider.base_url
        settings = (settings or ModelSettings()).model_copy(update={"seconds": 30.0, **options})
        made.append(OpenAIProposer(settings, KEY, url, Path("/home/me/worlds/sales_tax"), first_pause=0.01))
        return made[-1]

    yield make_proposer
    for proposer in made:
        await proposer.close()


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
    assert answer.tokens == Tokens()


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


def final(status: str, **fields: Any) -> dict[str, Any]:
    response = {"id": "resp_1", "object": "response", "status": status, "output": [], **fields}
    kind = {"incomplete": "response.incomplete", "failed": "response.failed"}.get(status, "response.completed")
    return {"type": kind, "sequence_number": 9, "response": response}


def refusal(text: str) -> dict[str, Any]:
    part = {"type": "refusal", "refusal": text}
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (final("failed", error={"code": "server_error", "message": "Oops."}), ("failed", "The model failed: Oops.")),
        (final("failed", error={"code": "insufficient_quota", "message": "Pay."}), ("quota", "Pay")),
        (final("queued"), ("protocol", "calls its answer queued")),
        (final("completed"), ("protocol", "no message")),
        (final("completed", output=[{"type": "reasoning", "id": "r", "summary": []}]), ("protocol", "no message")),
        (
            {"type": "error", "code": "oops", "message": f"It broke, {KEY}.", "param": None},
            ("failed", "It broke, (key)"),
        ),
        ({"type": "error", "error": {"code": "oops", "message": "It broke."}}, ("failed", "It broke")),
        ({"type": "response.created"}, ("protocol", "ended before the answer was complete")),
    ],
)
async def test_how_a_stream_can_end(
    provider: Any, make: Make, idle: View, event: dict[str, Any], expected: tuple[str, str]
) -> None:
    provider.script(*[provider.stream(event)] * 3)
    with pytest.raises(ProposerError) as raised:
        await make().propose(idle, Ear())
    assert raised.value.family == expected[0]
    assert expected[1] in str(raised.value)
    assert KEY not in str(raised.value)
    assert len(provider.requests) == (1 if expected[0] == "quota" else 3)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (final("incomplete", incomplete_details={"reason": "max_output_tokens"}), "must be shorter"),
        (final("incomplete", incomplete_details={"reason": "content_filter"}), "content filter"),
        (final("completed", output=[refusal(f"I will not, {KEY}.")]), "The model refuses: I will not, (key)."),
    ],
)
async def test_a_model_that_does_not_answer_is_told_so(
    provider: Any, make: Make, idle: View, event: dict[str, Any], reason: str
) -> None:
    event["response"]["usage"] = {"input_tokens": 9, "output_tokens": 5, "total_tokens": 14}
    provider.script(provider.stream(event))
    answer = await make().propose(idle, Ear())
    assert answer.action is None
    assert reason in answer.invalid
    assert answer.tokens == Tokens(9, 0, 5)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html><body>Log in</body></html>", "text/html"),
        ("", "text/event-stream"),
        ("data: {\n\n", "text/event-stream"),
        ("data: [1, 2]\n\n", "text/event-stream"),
        ("data: 3\n\n", "text/event-stream"),
        (b"data: \xff\xfe\n\n", "text/event-stream"),
        (json.dumps({"id": "resp_1", "status": "completed", "output": []}), "application/json"),
    ],
)
async def test_a_body_that_is_no_stream_of_events(
    provider: Any, make: Make, idle: View, body: str | bytes, content_type: str
) -> None:
    provider.script(*[lambda _: Response(body, content_type=content_type)] * 3)
    with pytest.raises(ProposerError) as raised:
        await make().propose(idle, Ear())
    assert raised.value.family == "protocol"


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
