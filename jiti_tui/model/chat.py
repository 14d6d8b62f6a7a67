"""The Chat Completions API, as llama.cpp, Ollama and vLLM serve it too: what one call sends, and its stream read.

Only a `finish_reason` means that the answer is complete. Servers differ in what else they send, so every field is
looked for, none is relied on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from jiti_tui.errors import ProposerError
from jiti_tui.model.meter import Meter
from jiti_tui.model.no_answer import MAX_CHARACTERS, cut_short, filtered, refused, too_long
from jiti_tui.model.openai_errors import from_code, plain
from jiti_tui.model.prompt import prompt
from jiti_tui.model.schema import action_schema
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings


def chat_request(view: View, settings: ModelSettings) -> dict[str, Any]:
    """The body of a call that asks for one action.

    Its schema fixes the generation: such servers make a grammar of it, which is no part of the prompt that they keep,
    and a small model does not copy a number reliably.
    """
    words = prompt(view, settings.view_tokens)
    schema = {"name": "action", "strict": True, "schema": action_schema(view, pinned=True)}
    request: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            {"role": "system", "content": words.instructions},
            {"role": "user", "content": words.input},
        ],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "max_tokens": settings.max_output_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if settings.reasoning_effort is not None:
        request["reasoning_effort"] = settings.reasoning_effort
    if settings.temperature is not None:
        request["temperature"] = settings.temperature
    return request


async def read_chat(chunks: AsyncIterator[Any], meter: Meter, key: str) -> str:
    """Read the answer's text from the chunks of a stream, telling `meter` of what comes.

    Raises NoAnswer, and ProposerError of the families failed, protocol, quota, transient and configuration.
    """
    pieces: list[str] = []
    refusal: list[str] = []
    size = 0
    ended = None
    async for chunk in chunks:
        meter.begun = True
        meter.count(getattr(chunk, "usage", None))
        error = getattr(chunk, "error", None)
        if error:
            code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, error)
            raise from_code(code, message, key)
        choices = getattr(chunk, "choices", None)
        choice = choices[0] if isinstance(choices, list) and choices else None
        delta = getattr(choice, "delta", None)
        said = getattr(delta, "refusal", None)
        if isinstance(said, str):
            refusal.append(said)
            meter.write(said)
        piece = getattr(delta, "content", None)
        if isinstance(piece, str) and piece:
            pieces.append(piece)
            size += len(piece)
            meter.piece(piece)
        ended = getattr(choice, "finish_reason", None) or ended
        if size > MAX_CHARACTERS:
            raise too_long()
    return _completed("".join(pieces), "".join(refusal), ended, key)


def _completed(text: str, refusal: str, ended: object, key: str) -> str:
    if refusal.strip():
        raise refused(plain(refusal, key))
    match ended:
        case "length":
            raise cut_short()
        case "content_filter":
            raise filtered()
        case "stop":
            if not text.strip():
                raise ProposerError("The model answered with no message.", family="protocol")
            return text
        case None:
            raise ProposerError("The provider's stream ended before the answer was complete.", family="protocol")
    raise ProposerError(f"The provider ended its answer by {plain(ended, key)}.", family="protocol")
