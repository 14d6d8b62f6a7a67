"""The log of proposals, made from events alone: the same code builds it live and from a store's log after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.snapshot import Fate, ProposalRow
from jiti_tui.model.proposer import Answer

MAX_ROWS = 10_000
MAX_CHARACTERS = 16 * 1024 * 1024
"""Of all rows together: a session of days must not fill the memory."""
_VALUE, _OUTPUT, _WARNING, _WARNINGS = 2_000, 4_000, 500, 10
"""How much of an outcome a row keeps: characters, and how many warnings."""
_MOST_GENERATION = 2**63
_UNDECIDED = frozenset({Fate.WAITING, Fate.RUNNING, Fate.READY, Fate.PAUSED})


class ProposalLog:
    """`rows` is oldest first.

    The last row is the proposal under way; a paused evaluation stays the *open* one while repairs come and go.
    """

    def __init__(self) -> None:
        self.rows: tuple[ProposalRow, ...] = ()
        self._count = 0
        self._characters = 0

    def see(self, event: Event) -> None:
        """Take in one event; those that say nothing about a proposal are passed over."""
        fields = event.fields
        match event.name:
            case "session":
                self.end_of_past()
            case "proposal":
                self._add(event)
            case "stale":
                self._settle(Fate.STALE, f"for {fields.get('action_generation')}, now {event.generation}")
            case "invalid":
                self._settle(Fate.INVALID, str(fields.get("reason", "")))
            case "attempt":
                self.mark(Fate.RUNNING)
            case "value" if self.rows:
                self._replace_last(**_outcome(fields))
            case "paused":
                self.mark(Fate.PAUSED, f"at level {fields.get('level')}")
            case "repaired" | "resumed":
                self.mark(Fate.TAKEN)
            case "inspected":
                self.mark(Fate.TAKEN, str(fields.get("value", ""))[:200])
            case "abandoned":
                self._settle(Fate.ABANDONED, str(fields.get("reason", "")))
            case "restored" if not (self.rows and self.rows[-1].fate is Fate.ABANDONED):
                fate = Fate.REJECTED if fields.get("rejected") else Fate.RESTORED
                self._settle(fate, str(fields.get("reason", "")))
            case "accepted":
                self._settle(Fate.ACCEPTED, f"as {event.revision}")
            case "lost":
                self._settle(Fate.LOST, "")

    def said(self, body: str) -> ProposalRow | None:
        """The latest proposal that would do just that."""
        return next((row for row in reversed(self.rows) if row.body == body), None)

    def mark(self, fate: Fate, reason: str = "") -> None:
        """Say where the last proposal stands."""
        if self.rows:
            self._replace_last(fate=fate, reason=reason)

    @property
    def under_way(self) -> bool:
        """A proposal waits, or an attempt has been begun that is neither accepted nor dropped."""
        return any(row.fate in _UNDECIDED for row in self.rows)

    def end_of_past(self) -> None:
        """What an earlier session left undecided is lost."""
        self.rows = tuple(replace(row, fate=Fate.LOST) if row.fate in _UNDECIDED else row for row in self.rows)

    def _replace_last(self, **fields: Any) -> None:
        last = replace(self.rows[-1], **fields)
        self._characters += _size(last) - _size(self.rows[-1])
        self.rows = (*self.rows[:-1], last)

    def _settle(self, fate: Fate, reason: str) -> None:
        """The end of what the last proposal was about; an evaluation that waited in a pause ends with it."""
        self.mark(fate, reason)
        if fate in (Fate.STALE, Fate.INVALID):
            return
        settled = [
            replace(row, fate=fate, reason=reason) if row.fate is Fate.PAUSED and index < len(self.rows) - 1 else row
            for index, row in enumerate(self.rows)
        ]
        self.rows = tuple(settled)

    def _add(self, event: Event) -> None:
        if self.rows and self.rows[-1].fate is Fate.WAITING:
            # One proposal waits at a time: who makes another has set it aside, which no event of its own says.
            self.mark(Fate.REJECTED, "another was chosen")
        action = event.fields.get("action")
        action = action if isinstance(action, Mapping) else {}
        generation = action.get("generation")
        self._count += 1
        row = ProposalRow(
            number=self._count,
            generation=generation if isinstance(generation, int) else event.generation,
            kind=str(action.get("kind", "?")),
            origin=str(event.fields.get("origin", "")),
            fate=Fate.WAITING,
            reason="",
            rationale=str(action.get("rationale", "")),
            body=action_body(action),
            time=event.time,
            tokens=int(event.fields.get("tokens") or 0),
            estimated=bool(event.fields.get("estimated")),
        )
        self._characters += _size(row)
        dropped = max(0, len(self.rows) - MAX_ROWS + 1)
        self._characters -= sum(map(_size, self.rows[:dropped]))
        while dropped < len(self.rows) and self._characters > MAX_CHARACTERS:
            self._characters -= _size(self.rows[dropped])
            dropped += 1
        self.rows = (*self.rows[dropped:], row)


def _size(row: ProposalRow) -> int:
    texts = (row.reason, row.rationale, row.body, row.value, row.output, *row.warnings)
    return sum(map(len, texts))


def _outcome(fields: Mapping[str, Any]) -> dict[str, Any]:
    warnings = fields.get("warnings")
    told = warnings if isinstance(warnings, list | tuple) else ()
    return {
        "value": cut(fields.get("value"), _VALUE),
        "output": cut(fields.get("output"), _OUTPUT),
        "warnings": tuple(cut(warning, _WARNING) for warning in told[:_WARNINGS]),
    }


def cut(value: object, most: int) -> str:
    """`value` as text, None as "", of which the first `most` characters are kept, and how many more there were."""
    text = "" if value is None else str(value)
    return text if len(text) <= most else f"{text[:most]}... ({len(text) - most} characters more, cut)"


def cost_record(answer: Answer) -> dict[str, Any]:
    """What `answer` cost, as events keep it."""
    tokens = answer.tokens
    return {"tokens": tokens.total, "estimated": True} if tokens.estimated else {"tokens": tokens.total}


def action_record(answer: Answer) -> dict[str, Any]:
    """The action of `answer` as events keep it. Of an invalid answer, which can be anything, what has the form of a
    part of an action.
    """
    if answer.action is not None:
        return answer.action.model_dump(mode="json")
    if isinstance(answer.raw, str):
        return {"kind": "?", "text": answer.raw}
    given = answer.raw.get("action")
    parts = given if isinstance(given, dict) else {}
    record: dict[str, Any] = {"kind": "?"}
    for key in ("kind", "rationale", "forms", "restart", "expression"):
        if isinstance(parts.get(key), str):
            record[key] = parts[key]
    generation = parts.get("generation")
    if type(generation) is int and abs(generation) < _MOST_GENERATION:
        record["generation"] = generation
    return record


def action_body(action: Mapping[str, Any]) -> str:
    """What an action would do, as text: its forms, its expression, or the restart with its arguments."""
    if "restart" in action:
        return " ".join([str(action["restart"]), *map(str, action.get("arguments") or ())])
    return str(action.get("forms") or action.get("expression") or "")
