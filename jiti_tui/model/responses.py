"""OpenAI's Responses API: what one call sends, and its stream read to its end or to the reason why it has none.

A stream that just ends is no answer: only `response.completed` means complete. Servers that imitate the API leave
fields out, so every field is looked for, none is relied on.
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


def responses_request(view: View, settings: ModelSettings, cache_key: str) -> dict[str, Any]:
    """The body of a call that asks for one action.

    Its schema leaves the generation open: a provider's cache sees the schema as the beginning of the prompt, which
    must not change with every step. Source: "What can be cached" of OpenAI's guide to prompt caching.
    """
    words = prompt(view, settings.view_tokens)
    schema = {"type": "json_schema", "name": "action", "strict": True, "schema": action_schema(view, pinned=False)}
    request: dict[str, Any] = {
        "model": settings.model,
        "instructions": words.instructions,
        "input": words.input,
        "text": {"format": schema},
        "max_output_tokens": settings.max_output_tokens,
        "prompt_cache_key": cache_key,
        "store": False,
        "stream": True,
    }
    if settings.reasoning_effort is not None:
        request["reasoning"] = {"effort": settings.reasoning_effort}
    if settings.temperature is not None:
        request["temperature"] = settings.temperature
    return request


async def read_responses(events: AsyncIterator[Any], meter: Meter, key: str) -> str:
    """Read the answer's text from the events of a stream, telling `meter` of what comes.

    Commentary is no part of the answer. Raises NoAnswer, and ProposerError of the families failed, protocol, quota,
    transient and configuration.
    """
    pieces: list[str] = []
    size = 0
    commentary: set[Any] = set()
    async for event in events:
        meter.begun = True
        meter.count(getattr(getattr(event, "response", None), "usage", None))
        match getattr(event, "type", None):
            case "response.output_item.added":
                if getattr(getattr(event, "item", None), "phase", None) == "commentary":
                    commentary.add(getattr(event, "output_index", None))
            case "response.output_text.delta":
                piece = getattr(event, "delta", None)
                if not isinstance(piece, str):
                    continue
                size += len(piece)
                if getattr(event, "output_index", None) in commentary:
                    meter.write(piece)
                else:
                    pieces.append(piece)
                    meter.piece(piece)
            case "response.completed":
                return _completed(getattr(event, "response", None), "".join(pieces), key)
            case "response.incomplete":
                raise _incomplete(getattr(event, "response", None))
            case "response.failed":
                error = getattr(getattr(event, "response", None), "error", None)
                raise from_code(getattr(error, "code", None), getattr(error, "message", None), key)
            case "error":
                raise from_code(getattr(event, "code", None), getattr(event, "message", None), key)
        if size > MAX_CHARACTERS:
            raise too_long()
    raise ProposerError("The provider's stream ended before the answer was complete.", family="protocol")


def _completed(response: Any, streamed: str, key: str) -> str:
    status = getattr(response, "status", None)
    if status == "incomplete":
        raise _incomplete(response)
    if status not in (None, "completed"):
        raise ProposerError(f"The provider calls its answer {plain(status, key)}.", family="protocol")
    texts = []
    for item in getattr(response, "output", None) or ():
        if getattr(item, "type", None) != "message" or getattr(item, "phase", None) not in (None, "final_answer"):
            continue
        for part in getattr(item, "content", None) or ():
            if getattr(part, "type", None) == "refusal":
                raise refused(plain(getattr(part, "refusal", None) or "no reason given", key))
            texts.append(str(getattr(part, "text", None) or ""))
    text = "".join(texts) or streamed
    if not text.strip():
        raise ProposerError("The model answered with no message.", family="protocol")
    return text


def _incomplete(response: Any) -> ProposerError:
    if getattr(getattr(response, "incomplete_details", None), "reason", None) == "content_filter":
        return filtered()
    return cut_short()
