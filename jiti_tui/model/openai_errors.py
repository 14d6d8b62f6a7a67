"""Sorts what goes wrong between here and a model's provider into families, each with a sentence for the operator."""

from __future__ import annotations

import re
from typing import Any

from jiti_tui.errors import ProposerError
from jiti_tui.model.backoff import retry_after

_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_TRANSIENT_STATUS = frozenset({408, 409, 429})
_KEY = re.compile(r"\bsk-[\w*.-]{4,}")
_SHOWN = 300
"""Characters of a provider's message that a sentence repeats."""


def plain(text: object, key: str) -> str:
    """A provider's text as part of a sentence: one line, bounded, without `key` or what looks like one."""
    line = " ".join(str(text).split())
    line = _KEY.sub("(key)", line.replace(key, "(key)") if key else line)
    line = "".join(character for character in line if character.isprintable()).rstrip(".")
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def from_exception(error: Exception, key: str) -> ProposerError:
    """What the client library raised, as a ProposerError. One that is a bug of our own is raised again."""
    import openai  # noqa: PLC0415 - takes most of a second, and has been paid for by the call that failed

    if isinstance(error, openai.APITimeoutError):
        return ProposerError("The provider does not answer.", family="transient")
    if isinstance(error, openai.APIConnectionError):
        reason = plain(error.__cause__ or error, key) or "no reason given"
        address = error.request.url.netloc.decode("ascii")
        advice = "Check the network, and OPENAI_BASE_URL or base_url in [model] of world.toml."
        return ProposerError(f"The connection to {address} failed: {reason}. {advice}", family="transient")
    if isinstance(error, openai.APIStatusError):
        return _from_status(error, key)
    if isinstance(error, openai.APIError):
        return from_code(error.code, error.message, key)
    if isinstance(error, openai.OpenAIError):
        return ProposerError(f"The provider cannot be asked: {plain(error, key)}.", family="configuration")
    if isinstance(error, ValueError):
        return ProposerError(f"The provider answered with what is not JSON: {plain(error, key)}.", family="protocol")
    raise error


def from_code(code: object, message: object, key: str) -> ProposerError:
    """An error inside a stream, or the reason of a failed response."""
    reason = plain(message or code or "no reason given", key)
    if code in _QUOTA_CODES:
        return _quota(reason)
    if code == "rate_limit_exceeded":
        return ProposerError(f"The provider asks for fewer requests: {reason}.", family="transient")
    if code == "context_length_exceeded":
        return _too_long(reason)
    return ProposerError(f"The model failed: {reason}.", family="failed")


def _from_status(error: Any, key: str) -> ProposerError:
    status, reason = error.status_code, plain(error.message, key)
    if status == 402 or error.code in _QUOTA_CODES or error.type in _QUOTA_CODES:
        return _quota(reason)
    if status in _TRANSIENT_STATUS or status >= 500:
        return ProposerError(
            f"The provider is busy or broken, status {status}: {reason}.",
            family="transient",
            retry_after=retry_after(error.response.headers),
        )
    if error.code == "context_length_exceeded":
        return _too_long(reason)
    advice = {
        401: "check OPENAI_API_KEY",
        403: "the key may not do this: check OPENAI_API_KEY and the account",
        404: "check model and base_url in [model] of world.toml",
    }.get(status, "check [model] of world.toml")
    return ProposerError(f"The provider refuses the call, status {status}: {reason}. To go on, {advice}.")


def _quota(reason: str) -> ProposerError:
    return ProposerError(f"The account's quota is used up: {reason}. Add credit, or use another key.", family="quota")


def _too_long(reason: str) -> ProposerError:
    return ProposerError(
        f"The view is too long for the model: {reason}. Choose a model with a longer context in [model]."
    )
