"""The evidence of a revision as lines for a person: what was proposed, what happened, what was checked.

The lines hold what models and worlds have said, as it is: who shows them makes them safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jiti_tui.store.record import Record

_LONGEST = 300
"""Characters of a text that stands in one line."""


def evidence_lines(events: Iterable[Record]) -> Iterator[str]:
    """A line or a few for each record, in their order; whatever a record holds, a line comes of it."""
    for event in events:
        yield from _lines(event)


def _lines(event: Record) -> Iterator[str]:
    match event.get("event"):
        case "dropped":
            yield f"{event.get('records')} older records did not fit"
        case "proposal":
            yield from _proposal(event)
        case "request":
            yield f"request {event.get('number')}: {_one(event.get('text'))}"
        case "paused":
            restarts = ", ".join(f"{item.get('id')} {item.get('name')}" for item in _rows(event, "restarts"))
            yield f"paused at level {event.get('level')}: {_one(event.get('type'))}: {_one(event.get('condition'))}"
            yield f"    restarts: {_one(restarts)}"
        case "resumed":
            arguments = " ".join(map(str, event.get("arguments") or ()))
            yield _one(f"resumed by {event.get('restart')} {arguments}")
        case "checked":
            for check in (*_rows(event, "invariants"), *_rows(event, "goals")):
                detail = f": {_one(check.get('detail'))}" if check.get("detail") else ""
                yield f"{'passes' if check.get('ok') else 'fails '} {_one(check.get('name'))}{detail}"
        case "value" | "inspected":
            yield f"{event['event']}: {_one(event.get('value'))}"
        case "attempt":
            yield f"attempt {event.get('number')}"
        case name:
            reason = event.get("reason")
            yield f"{_one(name)}: {_one(reason)}" if reason else _one(name)


def _proposal(event: Record) -> Iterator[str]:
    action = event.get("action")
    fields: dict[str, Any] = action if isinstance(action, dict) else {}
    told = [f"for generation {fields.get('generation')}", f"by {_one(event.get('origin'))}"]
    if event.get("tokens"):
        told.append(f"{'about ' if event.get('estimated') else ''}{event['tokens']} tokens")
    if event.get("view"):
        told.append(f"view {_one(event['view'])[:12]}")
    yield f"{_one(fields.get('kind', '?'))} ({', '.join(told)})"
    if fields.get("rationale"):
        yield f"    {_one(fields['rationale'])}"
    if fields.get("restart"):
        arguments = " ".join(map(str, fields.get("arguments") or ()))
        yield "    " + _one(f"{fields['restart']} {arguments}")
    body = fields.get("forms") or fields.get("expression")
    if body:
        yield from (f"    {line}" for line in str(body).splitlines())


def _rows(event: Record, key: str) -> list[dict[str, Any]]:
    rows = event.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _one(value: object) -> str:
    flat = " ".join(("" if value is None else str(value)).split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 3]}..."
