"""A Responses API and a Chat API of our own on a real socket, as strict about schemas as OpenAI documents it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from fakes.chat import chat_chunks, chunk_text
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

KEY = "sk-test-0123456789abcdef"
_KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description"}
_TYPES = {"string", "number", "boolean", "integer", "object", "array"}


def schema_complaint(schema: Any) -> str | None:
    """The rules are those of "Supported schemas" in OpenAI's guide to Structured Outputs."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "the root must be an object"
    return _complaint(schema, "root", 1)


def _complaint(schema: dict[str, Any], place: str, depth: int) -> str | None:
    rules = {
        "nested too deeply": depth > 10,
        "a keyword that is not permitted": bool(set(schema) - _KEYWORDS),
        "either type or anyOf": ("anyOf" in schema) == ("type" in schema),
        "no such type": schema.get("type", "object") not in _TYPES,
        "an empty enum": schema.get("enum") == [],
        "an array needs items": schema.get("type") == "array" and "items" not in schema,
    }
    inner = [(f"{place}.anyOf", branch) for branch in schema.get("anyOf", [])]
    inner += [(f"{place}.items", schema["items"])] if "items" in schema else []
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        rules["additionalProperties must be false"] = schema.get("additionalProperties") is not False
        rules["required must name every key"] = sorted(schema.get("required", [])) != sorted(properties)
        inner += [(f"{place}.{key}", value) for key, value in properties.items()]
    broken = next((f"{place}: {rule}" for rule, is_broken in rules.items() if is_broken), None)
    return broken or next(filter(None, (_complaint(value, where, depth + 1) for where, value in inner)), None)


Turn = Callable[[Request], Response]


class Provider:
    """Each call, of either API, takes the next turn of the script."""

    def __init__(self, server: HTTPServer) -> None:
        self.base_url = server.url_for("/v1")
        self.requests: list[dict[str, Any]] = []
        self.key: str | None = KEY
        """What callers must send; None is nothing."""
        self.closed = threading.Event()
        """The peer went away while a body was being sent."""
        self._turns: list[Turn] = []
        server.expect_request("/v1/responses", method="POST").respond_with_handler(self._respond)
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._chat)

    def script(self, *turns: Turn) -> None:
        self._turns = list(turns)

    def stream(self, *events: dict[str, Any], status: int = 200) -> Turn:
        """Server-sent events, one at a time."""
        return lambda _: Response(map(event_text, events), status, content_type="text/event-stream; charset=utf-8")

    def answer(self, text: str, *, pieces: int = 5, tokens: int = 42) -> Turn:
        """A complete answer, as the API streams one."""
        return self.stream(*answer_events(text, pieces, tokens))

    def chat(self, *chunks: dict[str, Any] | str) -> Turn:
        """A stream of the Chat API, its end marked as OpenAI does."""
        body = [*map(chunk_text, chunks), chunk_text("[DONE]")]
        return lambda _: Response(iter(body), content_type="text/event-stream")

    def chat_answer(self, text: str) -> Turn:
        """A complete answer of the Chat API."""
        return self.chat(*chat_chunks(text))

    def drip(self, *events: dict[str, Any], most: int = 400) -> Turn:
        """A body that never ends by itself, a comment every 25 ms after `events`."""

        def body() -> Iterable[str]:
            try:
                yield from map(event_text, events)
                for _ in range(most):
                    self.closed.wait(0.025)
                    yield ": still here\n\n"
            except GeneratorExit:
                self.closed.set()
                raise

        return lambda _: Response(body(), content_type="text/event-stream")

    def error(self, status: int, code: str | None = None, headers: dict[str, str] | None = None) -> Turn:
        """An error of the API, with a message that repeats the key as some do."""
        body = json.dumps({"error": {"message": f"No: {code}, key {KEY}.", "type": "t", "param": None, "code": code}})
        return lambda _: Response(body, status, headers, content_type="application/json")

    def _respond(self, request: Request) -> Response:
        response_format = self._taken(request)["text"]["format"]
        assert response_format["type"] == "json_schema"
        return self._strictly(response_format, request)

    def _chat(self, request: Request) -> Response:
        response_format = self._taken(request)["response_format"]
        assert response_format["type"] == "json_schema"
        return self._strictly(response_format["json_schema"], request)

    def _taken(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(request.get_data())
        self.requests.append(body)
        assert request.headers.get("Authorization") == (self.key and f"Bearer {self.key}")
        return body

    def _strictly(self, response_format: dict[str, Any], request: Request) -> Response:
        assert response_format["strict"] is True
        if complaint := schema_complaint(response_format["schema"]):
            return Response(json.dumps({"error": {"message": complaint, "code": "invalid_json_schema"}}), 400)
        return self._turns.pop(0)(request)


def as_model(provider: Provider, line: str) -> Turn:
    """The turn in which a model gives the answer of a transcript's line, for the view that it is shown."""

    def turn(request: Request) -> Response:
        answer = json.loads(line)
        action = answer["action"]
        body = json.loads(request.get_data())
        branches = body["text"]["format"]["schema"]["properties"]["action"]["anyOf"]
        kinds = {kind["properties"]["kind"]["const"]: kind for kind in branches}
        properties = kinds[action["kind"]]["properties"]
        if action["generation"] is None:
            action["generation"] = int(body["input"].rpartition("Its generation is ")[2].rstrip(".\n"))
        if "restart" in action:
            action["restart"] = properties["restart"]["enum"][0]
        return provider.answer(json.dumps(answer))(request)

    return turn


def event_text(event: dict[str, Any]) -> str:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def answer_events(text: str, pieces: int = 5, tokens: int = 42) -> list[dict[str, Any]]:
    size = max(1, -(-len(text) // pieces))
    place = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    usage = {"input_tokens": tokens - 2, "output_tokens": 2, "total_tokens": tokens}
    response = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
    done = {**response, "status": "completed", "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, message]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", "output_index": 1, "item": {**message, "content": []}},
    ]
    for start in range(0, len(text), size):
        events.append(
            {"type": "response.output_text.delta", **place, "delta": text[start : start + size], "logprobs": []}
        )
    events.append({"type": "response.output_text.done", **place, "text": text, "logprobs": []})
    events.append({"type": "response.completed", "response": {**done, "usage": usage}})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]
