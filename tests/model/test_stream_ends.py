"""How a stream of the Responses API can end, and bodies that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from fakes.listener import Ear
from fakes.provider import KEY
from werkzeug import Response

from jiti_tui.errors import ProposerError
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View

Make = Callable[..., OpenAIProposer]


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
