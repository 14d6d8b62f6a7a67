"""What the evidence of a revision says about how to make it again."""

from __future__ import annotations

from collections.abc import Iterable

from jiti_tui.frozen import frozen
from jiti_tui.store.record import Record


@frozen
class Evaluation:
    """The outer evaluation of an attempt."""

    forms: str


@frozen
class GoingBack:
    """The world of an earlier revision."""

    revision: int


@frozen
class RepairStep:
    """A repair inside the pause."""

    forms: str


@frozen
class ResumeStep:
    """A restart: the `nth` of that name in the menu, from 0, with its arguments."""

    name: str
    nth: int
    arguments: tuple[str, ...]


Step = Evaluation | GoingBack | RepairStep | ResumeStep


def accepted_steps(events: Iterable[Record]) -> list[Step]:
    """The steps of the attempt that was accepted, the last one that nothing ended; empty where the evidence has none.

    Attempts that came to nothing have left nothing, and are passed over.
    """
    steps: list[Step] = []
    proposed: dict[str, object] = {}
    menu: list[tuple[str, str]] = []
    for event in events:
        match event:
            case {"event": "proposal", "action": dict(action)}:
                proposed = action
            case {"event": "stale" | "invalid" | "inspected"}:
                proposed = {}
            case {"event": "attempt"}:
                steps, proposed = _beginning(proposed), {}
            case {"event": "repaired"}:
                steps += _repair(proposed)
                proposed = {}
            case {"event": "paused"}:
                steps += _repair(proposed)
                proposed = {}
                menu = _menu(event)
            case {"event": "resumed", "restart": str(restart)}:
                steps.append(_resume(restart, event, menu))
                proposed = {}
            case {"event": "restored" | "abandoned"}:
                steps = []
    return steps


def _beginning(action: Record) -> list[Step]:
    match action:
        case {"kind": "evaluate", "forms": str(forms)}:
            return [Evaluation(forms)]
        case {"kind": "go-back", "revision": int(revision)}:
            return [GoingBack(revision)]
    return []


def _repair(action: Record) -> list[Step]:
    match action:
        case {"kind": "repair", "forms": str(forms)}:
            return [RepairStep(forms)]
    return []


def _menu(event: Record) -> list[tuple[str, str]]:
    rows = event.get("restarts")
    return [(str(row.get("id")), str(row.get("name"))) for row in rows] if isinstance(rows, list) else []


def _resume(restart: str, event: Record, menu: list[tuple[str, str]]) -> ResumeStep:
    """By name and place among its like: the same error can offer other restarts beside it the next time."""
    name, arguments = str(event.get("name") or dict(menu).get(restart, restart)), event.get("arguments")
    like = [identity for identity, other in menu if other == name]
    nth = like.index(restart) if restart in like else 0
    return ResumeStep(name, nth, tuple(map(str, arguments)) if isinstance(arguments, list) else ())
