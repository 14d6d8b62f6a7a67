"""Actions: what a proposer may answer. One action to a view, tagged with the generation of that view.

`go-back` is for transcripts alone: a model is never offered it.
"""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic_core import ErrorDetails

Kind = Literal["evaluate", "repair", "resume", "abandon", "inspect", "finish", "go-back"]

MAX_TEXT = 1_048_576
"""Characters of forms, of an expression, of an argument. The kernel's own bounds are tighter and configurable."""
_MAX_ANSWER = 4 * MAX_TEXT
_SHOWN = 60
"""Characters of a wrong value that a reason repeats."""

_Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class InvalidAction(ValueError):
    """An answer is no action that can be carried out now. The message is one sentence, told back to the proposer."""


class _Action(BaseModel):
    # Built when the first answer comes: the start of the program does not wait for it.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)

    kind: str
    generation: Annotated[int, Field(ge=0, lt=2**63)]
    """The generation of the view that was answered."""
    rationale: Annotated[str, Field(max_length=20_000)] = ""
    """Why, in a sentence or two, for the operator. A schema demands it; a recorded answer may do without."""


class Evaluate(_Action):
    """Evaluate Lisp source for keeps, as one attempt."""

    kind: Literal["evaluate"] = "evaluate"
    forms: _Text


class Repair(_Action):
    """Evaluate Lisp source inside the pause."""

    kind: Literal["repair"] = "repair"
    forms: _Text


class Resume(_Action):
    """Invoke a restart of the live menu."""

    kind: Literal["resume"] = "resume"
    restart: Annotated[str, Field(min_length=1, max_length=200)]
    """An id, `level/index`."""
    arguments: Annotated[tuple[_Text, ...], Field(max_length=50), Strict(False)] = ()
    """One Lisp datum each, read and never evaluated."""


class Abandon(_Action):
    """Drop the paused attempt and all its repairs."""

    kind: Literal["abandon"] = "abandon"


class Inspect(_Action):
    """Evaluate an expression in a throwaway fork: it cannot change anything."""

    kind: Literal["inspect"] = "inspect"
    expression: _Text


class Finish(_Action):
    """Say that the request is done."""

    kind: Literal["finish"] = "finish"


class GoBack(_Action):
    """Try the world of an earlier revision as the next one."""

    kind: Literal["go-back"] = "go-back"
    revision: Annotated[int, Field(ge=0, lt=2**63)]


Action = Evaluate | Repair | Resume | Abandon | Inspect | Finish | GoBack

_ACTIONS: dict[str, type[Action]] = {
    "evaluate": Evaluate,
    "repair": Repair,
    "resume": Resume,
    "abandon": Abandon,
    "inspect": Inspect,
    "finish": Finish,
    "go-back": GoBack,
}

KINDS = frozenset(_ACTIONS)
"""Of all actions."""


def parse_answer(text: str) -> Any:
    """The JSON value in `text`. Raises InvalidAction."""
    if len(text) > _MAX_ANSWER:
        raise InvalidAction(f"The answer is longer than {_MAX_ANSWER} characters.")
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidAction("The answer is nested too deeply.") from None
    except ValueError as error:
        # Also a number of thousands of digits, which is no JSONDecodeError.
        reason = f"{error.msg} at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise InvalidAction(f"The answer is not JSON: {reason}.") from None


def parse_action(answer: Any, legal: AbstractSet[str]) -> Action:
    """The action in `answer`, `{"action": {...}}` as JSON text or as what the text decodes to.

    `legal` are the kinds that can be carried out now. Raises InvalidAction.
    """
    if isinstance(answer, str):
        answer = parse_answer(answer)
    if not isinstance(answer, dict) or set(answer) != {"action"} or not isinstance(answer["action"], dict):
        raise InvalidAction('The answer is not an object of the shape {"action": {"kind": ..., ...}}.')
    kind = answer["action"].get("kind")
    model = _ACTIONS.get(kind) if isinstance(kind, str) else None
    allowed = ", ".join(name for name in _ACTIONS if name in legal)
    if model is None:
        raise InvalidAction(f"The action's kind is {_shown(kind)}; the kinds are now {allowed}.")
    if kind not in legal:
        raise InvalidAction(f"The action {kind} cannot be carried out now; these can: {allowed}.")
    try:
        return model.model_validate(answer["action"])
    except ValidationError as error:
        raise InvalidAction(_sentence(str(kind), error.errors(include_url=False)[0])) from None


def _sentence(kind: str, error: ErrorDetails) -> str:
    key = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "missing":
            return f"The action {kind} lacks its {key}."
        case "extra_forbidden":
            return f"The action {kind} has no {_shown(key)}."
        case "tuple_type":
            return f"The {key} of the action {kind} must be a list."
        case _:
            return f"The {key} of the action {kind} is wrong: {error['msg'][:1].lower()}{error['msg'][1:]}."


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
