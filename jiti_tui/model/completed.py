"""How one call to a model ends: with a text, or with the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from jiti_tui.errors import ProposerError
from jiti_tui.model.tokens import Tokens

MAX_CHARACTERS = 8 * 1_048_576
"""Of an answer; the action in it is bounded more tightly."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The text of a complete answer, and what it cost."""

    text: str
    tokens: Tokens


class NoAnswer(ProposerError):
    """The model was asked and has refused, or was cut short: it is told so, and what it cost is counted."""

    def __init__(self, message: str, *, family: str, tokens: Tokens) -> None:
        super().__init__(message, family=family)
        self.tokens = tokens


def cut_short(tokens: Tokens) -> NoAnswer:
    """The answer met the bound of its length."""
    return NoAnswer(
        "The answer was cut short: it must be shorter, or max_output_tokens in [model] larger.",
        family="incomplete",
        tokens=tokens,
    )


def filtered(tokens: Tokens) -> NoAnswer:
    """The provider suppressed the rest of the answer."""
    return NoAnswer("The provider's content filter cut the answer short.", family="incomplete", tokens=tokens)


def refused(reason: str, tokens: Tokens) -> NoAnswer:
    """The model will not answer."""
    return NoAnswer(f"The model refuses: {reason}.", family="refused", tokens=tokens)


def too_long() -> ProposerError:
    """The answer does not end where any answer has ended."""
    return ProposerError(f"The answer is longer than {MAX_CHARACTERS} characters.", family="protocol")
