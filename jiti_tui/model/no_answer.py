"""Why a call that a provider has carried out has no answer in the end."""

from __future__ import annotations

from jiti_tui.errors import ProposerError

MAX_CHARACTERS = 8 * 1_048_576
"""Of an answer; the action in it is bounded more tightly."""


class NoAnswer(ProposerError):
    """The model was asked and has refused, or was cut short: it is told so."""


def cut_short() -> NoAnswer:
    """The answer met the bound of its length."""
    return NoAnswer(
        "The answer was cut short: it must be shorter, or max_output_tokens in [model] larger.", family="incomplete"
    )


def filtered() -> NoAnswer:
    """The provider suppressed the rest of the answer."""
    return NoAnswer("The provider's content filter cut the answer short.", family="incomplete")


def refused(reason: str) -> NoAnswer:
    """The model will not answer."""
    return NoAnswer(f"The model refuses: {reason}.", family="refused")


def too_long() -> ProposerError:
    """The answer does not end where any answer has ended."""
    return ProposerError(f"The answer is longer than {MAX_CHARACTERS} characters.", family="protocol")
