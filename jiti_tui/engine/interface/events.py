"""What the engine tells its listeners, in the words and with the fields that `run --json` prints and the store's log
keeps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from jiti_tui.frozen import frozen


@frozen
class Event:
    """One thing that happened.

    `time` is seconds since the epoch; `fields` are those of the event's name, JSON-like values only.
    """

    name: str
    time: float
    generation: int
    revision: int
    fields: Mapping[str, Any]

    def as_json(self) -> str:
        """One line of JSON in ASCII, its time in ISO-8601, UTC."""
        return json.dumps(self.record(), separators=(",", ":"))

    def record(self) -> dict[str, Any]:
        """The event as one flat mapping: `event`, `time`, `generation`, `revision`, then its own fields."""
        stamp = datetime.fromtimestamp(self.time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            "event": self.name,
            "time": stamp,
            "generation": self.generation,
            "revision": self.revision,
            **self.fields,
        }


def event_from_record(record: Mapping[str, Any]) -> Event | None:
    """The event that `record` once was, or None when the record is not one (the log also keeps the store's own
    records).
    """
    name, stamp = record.get("event"), record.get("time")
    if not isinstance(name, str) or not isinstance(stamp, str):
        return None
    try:
        time = datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return None
    own = {"event", "time", "generation", "revision"}
    generation, revision = record.get("generation"), record.get("revision")
    return Event(
        name,
        time,
        generation if isinstance(generation, int) else 0,
        revision if isinstance(revision, int) else 0,
        {key: value for key, value in record.items() if key not in own},
    )
