"""The chunks of a Chat Completions stream, as OpenAI and the servers that imitate it send them."""

from __future__ import annotations

import json
from typing import Any


def chunk(content: str | None = None, *, ended: str | None = None, **delta: Any) -> dict[str, Any]:
    said = {**delta, **({"content": content} if content is not None else {})}
    choice = {"index": 0, "delta": said, "finish_reason": ended}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def usage_chunk(tokens: int = 42) -> dict[str, Any]:
    counted = {"prompt_tokens": tokens - 2, "completion_tokens": 2, "total_tokens": tokens}
    return {**chunk(), "choices": [], "usage": counted}


def chat_chunks(text: str, pieces: int = 5, *, ended: str = "stop") -> list[dict[str, Any]]:
    """A complete answer: its text in pieces, the reason of its end, and what it cost."""
    size = max(1, -(-len(text) // pieces))
    said = [chunk(text[start : start + size]) for start in range(0, len(text), size)]
    return [chunk(role="assistant"), *said, chunk(ended=ended), usage_chunk()]


def chunk_text(data: dict[str, Any] | str) -> str:
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
