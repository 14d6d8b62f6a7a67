"""A proposer that gives the answers of a list at once, as a model would, and keeps the views that it was shown."""

from __future__ import annotations

from typing import Any

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import InvalidAction, parse_action
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View


class Answering:
    """Each answer is an action without its generation, a text that is none, or a failure."""

    name = "answering"
    recorded = False
    costs_money = False

    def __init__(
        self,
        *answers: dict[str, Any] | str | ProposerError,
        tokens: Tokens | None = None,
        money: float = 0.0,
        proposals: int = 1,
    ) -> None:
        self.proposals = proposals
        self.views: list[View] = []
        self._answers = list(answers)
        self._tokens = tokens or Tokens()
        self._money = money

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        self.views.append(view)
        if not self._answers:
            raise ProposerError("There is no further answer.", family="failed")
        given = self._answers.pop(0)
        if isinstance(given, ProposerError):
            raise given
        if isinstance(given, str):
            return Answer(given, None, "It is no action.", self._tokens, self._money)
        raw = {"action": {"generation": view.generation, **given}}
        listener.rationale(str(given.get("rationale", "")))
        try:
            return Answer(raw, parse_action(raw, view.legal), "", self._tokens, self._money)
        except InvalidAction as error:
            return Answer(raw, None, str(error), self._tokens, self._money)

    async def close(self) -> None:
        pass
