"""What a call to a model costs, in tokens and in money."""

from __future__ import annotations

from typing import Any

from jiti_tui.frozen import frozen
from jiti_tui.model_settings import Prices

PER_TOKEN = 3
"""Bytes of UTF-8 that are taken for one token where no provider has counted: Lisp and English have 3 to 4."""


@frozen
class Tokens:
    """Tokens as the provider counts them; `cached` is the part of `input` that it had in its cache."""

    input: int = 0
    cached: int = 0
    output: int = 0
    estimated: int = 0
    """Of all of them, those that no provider has counted."""

    @property
    def total(self) -> int:
        """Both ways."""
        return self.input + self.output

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
            self.estimated + other.estimated,
        )

    def cost(self, prices: Prices) -> float:
        """What they cost, in the currency of `prices`, which are for a million tokens each."""
        cached = prices.input if prices.cached_input is None else prices.cached_input
        fresh = (self.input - self.cached) * prices.input
        return (fresh + self.cached * cached + self.output * prices.output) / 1_000_000


NONE = Tokens()


def estimate(text: str) -> int:
    """About how many tokens `text` comes to, rather too many than too few."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // PER_TOKEN)


def read_usage(usage: Any) -> Tokens:
    """The usage object of either API; of a server that counts nothing, or nonsense, no tokens."""
    sent = _count(usage, "input_tokens") or _count(usage, "prompt_tokens")
    written = _count(usage, "output_tokens") or _count(usage, "completion_tokens")
    details = getattr(usage, "input_tokens_details", None) or getattr(usage, "prompt_tokens_details", None)
    if not (sent or written):
        sent = _count(usage, "total_tokens")
    return Tokens(sent, min(sent, _count(details, "cached_tokens")), written)


def _count(holder: Any, name: str) -> int:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and 0 <= value < 2**53 else 0
