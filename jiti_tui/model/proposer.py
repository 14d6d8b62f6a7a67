"""What answers a view with an action: a model, or a recorded transcript."""

from __future__ import annotations

from typing import Any, Protocol

from jiti_tui.frozen import frozen
from jiti_tui.model.action import Action
from jiti_tui.model.tokens import NONE, Tokens
from jiti_tui.model.view import View


@frozen
class Answer:
    """An answer as it came, and the action in it."""

    raw: dict[str, Any] | str
    """The decoded object, or the text where it is no JSON object."""
    action: Action | None
    """None when the answer is invalid."""
    invalid: str = ""
    """Why it is invalid, a sentence; "" when it is not."""
    tokens: Tokens = NONE
    """What the call cost that has ended with it."""
    money: float = 0.0
    """The same in the currency of the configured prices; 0 where none are."""
    transcript_line: int | None = None
    """Lines of the transcript that are used up now; None when the answer is not a recorded one."""


class Listener(Protocol):
    """Hears of a call while it is under way."""

    def rationale(self, text: str) -> None:
        """The answer's rationale has grown to `text`; "" when it starts anew."""

    async def wait(self, seconds: float, reason: str) -> None:
        """Wait before the next try, which the failure in `reason` makes necessary; ends early for who will not wait."""

    def spent(self, tokens: Tokens, money: float) -> None:
        """A call without an answer has cost that: one that broke off, or was cancelled."""


class Proposer(Protocol):
    """Used from one event loop."""

    @property
    def name(self) -> str:
        """As the status line shows it: "openai gpt-5.1", "replay transcript.jsonl"."""

    @property
    def recorded(self) -> bool:
        """The answers come from a transcript."""

    @property
    def costs_money(self) -> bool:
        """Asking is not free."""

    @property
    def proposals(self) -> int:
        """How many answers to one view are wanted, to be tried side by side."""

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        """Answer `view`, telling `listener` how it goes. Each `variant` is another answer, asked for at the same time.

        An answer that is no action is an Answer with `invalid`. Raises ProposerError with a family, TranscriptEnded;
        cancelling the task ends the call at once.
        """

    async def close(self) -> None:
        """Let go of connections."""
