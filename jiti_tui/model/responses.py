"""One streamed call of the Responses API, read to its end or to the reason why it has none.

A stream that just ends is no answer: only `response.completed` means complete. Servers that imitate the API leave
fields out, so every field is looked for, none is relied on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from jiti_tui.errors import ProposerError
from jiti_tui.model.openai_errors import from_code, plain

_MAX_CHARACTERS = 8 * 1_048_576


@dataclass(frozen=True, slots=True)
class Completed:
    """The text of a completed response, and the tokens that it cost, both ways."""

    text: str
    tokens: int


async def read_response(events: AsyncIterator[Any], on_piece: Callable[[str], None], key: str) -> Completed:
    """Read the events of a stream; `on_piece` gets the answer's text piece by piece.

    Commentary is no part of the answer. Raises ProposerError of the families incomplete, refused, failed, protocol,
    quota, transient and configuration.
    """
    pieces: list[str] = []
    size = 0
    commentary: set[Any] = set()
    async for event in events:
        match getattr(event, "type", None):
            case "response.output_item.added":
                if getattr(getattr(event, "item", None), "phase", None) == "commentary":
                    commentary.add(getattr(event, "output_index", None))
            case "response.output_text.delta":
                piece = getattr(event, "delta", None)
                if isinstance(piece, str) and getattr(event, "output_index", None) not in commentary:
                    pieces.append(piece)
                    size += len(piece)
                    on_piece(piece)
            case "response.completed":
                return _completed(getattr(event, "response", None), "".join(pieces), key)
            case "response.incomplete":
                raise _incomplete(getattr(event, "response", None))
            case "response.failed":
                error = getattr(getattr(event, "response", None), "error", None)
                raise from_code(getattr(error, "code", None), getattr(error, "message", None), key)
            case "error":
                raise from_code(getattr(event, "code", None), getattr(event, "message", None), key)
        if size > _MAX_CHARACTERS:
            raise ProposerError(f"The answer is longer than {_MAX_CHARACTERS} characters.", family="protocol")
    raise ProposerError("The provider's stream ended before the answer was complete.", family="protocol")


def _completed(response: Any, streamed: str, key: str) -> Completed:
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
                reason = plain(getattr(part, "refusal", None) or "no reason given", key)
                raise ProposerError(f"The model refuses: {reason}.", family="refused")
            texts.append(str(getattr(part, "text", None) or ""))
    text = "".join(texts) or streamed
    if not text.strip():
        raise ProposerError("The model answered with no message.", family="protocol")
    return Completed(text, _tokens(getattr(response, "usage", None)))


def _incomplete(response: Any) -> ProposerError:
    if getattr(getattr(response, "incomplete_details", None), "reason", None) == "content_filter":
        return ProposerError("The provider's content filter cut the answer short.", family="incomplete")
    return ProposerError(
        "The answer was cut short: raise max_output_tokens in [model] of world.toml.", family="incomplete"
    )


def _tokens(usage: Any) -> int:
    total = getattr(usage, "total_tokens", None)
    return total if isinstance(total, int) and total >= 0 else 0
