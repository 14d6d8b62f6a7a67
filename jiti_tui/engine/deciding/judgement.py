"""Notices that a model's answers lead nowhere: invalid ones in a row, the same one again, worlds that come back."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

from jiti_tui.model.action import Action, Evaluate, Inspect, Repair, Resume
from jiti_tui.model.view import View

MOST_INVALID = 3
"""Answers in a row that are no action, do not read or are refused."""
MOST_REPEATS = 3
"""The same answer to the same view: the second is not carried out, the third ends the work."""
MOST_RETURNS = 2
"""Revisions that only bring an earlier world back."""


class Judgement:
    """`stop` is why the model should be asked nothing more, a sentence; "" while nothing speaks against it."""

    def __init__(self) -> None:
        self.stop = ""
        self.lenient = False
        """The answers are recorded ones: they come to an end by themselves."""
        self._invalid = 0
        self._answers: Counter[tuple[str, str]] = Counter()
        self._worlds: list[str] = []
        self._returns = 0

    def forgive(self) -> None:
        """Begin anew: the operator goes on, or the request is another one."""
        self.stop = ""
        self._invalid = self._returns = 0
        self._answers.clear()
        del self._worlds[:-1]

    def invalid(self) -> None:
        """The last answer was no action, did not read, or was refused."""
        self._invalid += 1
        if self._invalid >= MOST_INVALID and not self.lenient:
            self.stop = f"The proposer gave {MOST_INVALID} answers in a row that cannot be carried out."

    def valid(self) -> None:
        """The last answer was carried out, whatever came of it."""
        self._invalid = 0

    def repeats(self, view: View | None, action: Action) -> str:
        """What to tell a model that has given `action` to the same `view` before; "" when it has not.

        The same view: of the same world, request and pause, whatever has been told meanwhile.
        """
        if view is None or self.lenient:
            return ""
        key = (_sameness(view), essence(action))
        self._answers[key] += 1
        times = self._answers[key]
        if times == 1:
            return ""
        if times >= MOST_REPEATS:
            self.stop = f"The proposer gave the same answer {MOST_REPEATS} times to the same view."
        return (
            f"You have given the same {action.kind} to the same view before, and the same would become of it: "
            "it was not carried out. Try something else."
        )

    def accepted(self, world: str, revision: int) -> str:
        """Hear that a world was accepted, named by its content; what to tell a model whose `revision` only brings an
        earlier one back.
        """
        returned = world in self._worlds[:-1]
        self._worlds.append(world)
        if not returned or self.lenient:
            return ""
        self._returns += 1
        if self._returns >= MOST_RETURNS:
            self.stop = "The proposer goes back and forth between the same worlds."
        return f"Revision {revision} is the same world as one before it: going back and forth meets no goal."


def _sameness(view: View) -> str:
    same = replace(view, generation=0, revision=0, outcomes=(), transcript_line=0)
    return hashlib.sha256(repr(same).encode("utf-8", "surrogatepass")).hexdigest()


def essence(action: Action) -> str:
    """What an action would do, without what it says about itself."""
    match action:
        case Evaluate() | Repair():
            return f"{action.kind} {action.forms.strip()}"
        case Inspect():
            return f"{action.kind} {action.expression.strip()}"
        case Resume():
            return f"{action.kind} {action.restart} {action.arguments}"
    return action.kind
