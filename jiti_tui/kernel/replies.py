"""From a worker's message to its record. Everything that a worker sends is hostile until it has passed here."""

from __future__ import annotations

from collections.abc import Callable

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import BlockEntry, Chunk, DataEntry, DefinitionEntry, Exported, StateEntry
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.messages import (
    Abandoned,
    Accepted,
    Adopted,
    Checked,
    Done,
    Dropped,
    Failed,
    Forked,
    Frame,
    Framed,
    Indexed,
    IndexedCheck,
    Inspected,
    Invalid,
    Kept,
    Local,
    Names,
    Paused,
    Reads,
    Refused,
    Repaired,
    Reply,
    Restart,
    Restored,
    Resumed,
    Signalled,
    Stale,
    Swept,
    Unreadable,
    Value,
)
from jiti_tui.kernel.observed import Observed, ObservedBase, ObservedDatum, ObservedDefinition
from jiti_tui.kernel.wire import Message


def parse(message: Message) -> Reply:
    """Make the record of a message; raises `WorkerError` when its kind is unknown or a field is not as defined."""
    make = _PARSERS.get(message.kind)
    if make is None:
        raise WorkerError(f"A worker sent a message of an unknown kind, :{message.kind[:40]}.")
    return make(Fields(message))


def _paused(fields: Fields) -> Paused:
    return Paused(
        generation=fields.integer("generation"),
        level=fields.integer("level"),
        type=fields.text("type"),
        condition=fields.text("condition"),
        output=fields.text("output"),
        dropped=fields.integer("dropped"),
        warnings=fields.texts("warnings"),
        restarts=_restarts(fields),
        frames=tuple(Frame(row.text(0), row.text(1), row.optional_integer(2) or 0) for row in fields.rows("frames", 3)),
    )


def _restarts(fields: Fields) -> tuple[Restart, ...]:
    return tuple(
        Restart(row.text(0), row.text(1), row.text(2), row.integer(3), row.optional_integer(4))
        for row in fields.rows("restarts", 5)
    )


def _returned(fields: Fields) -> tuple[int, str, str, int, tuple[str, ...]]:
    return (
        fields.integer("generation"),
        fields.text("value"),
        fields.text("output"),
        fields.integer("dropped"),
        fields.texts("warnings"),
    )


def _failed(fields: Fields) -> Failed:
    return Failed(
        reason=fields.text("reason"),
        file=fields.text("file"),
        line=fields.integer("line", absent=0),
        type=fields.text("type"),
        path=fields.text("path"),
    )


def _exported(fields: Fields) -> Exported:
    return Exported(
        tuple(
            DefinitionEntry(row.word(0), row.text(1), row.integer(2), row.integer(3))
            for row in fields.rows("definitions", 4)
        ),
        tuple(DataEntry(row.text(0), row.integer(1), row.integer(2)) for row in fields.rows("data", 3)),
        fields.texts("files"),
        fields.texts("same"),
        fields.texts("blocks"),
        _block_entries(fields, "before"),
        _block_entries(fields, "after"),
        fields.integer("rest", absent=0),
        tuple(StateEntry(row.text(0), row.text(1)) for row in fields.rows("state", 2)),
    )


def _block_entries(fields: Fields, name: str) -> tuple[BlockEntry, ...]:
    return tuple(BlockEntry(row.text(0), row.text(1), row.integer(2), row.integer(3)) for row in fields.rows(name, 4))


def _observed(fields: Fields) -> Observed:
    return Observed(
        tuple(
            ObservedDefinition(row.word(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5))
            for row in fields.rows("definitions", 6)
        ),
        tuple(ObservedBase(row.word(0), row.text(1), row.text(2), row.text(3)) for row in fields.rows("base", 4)),
        tuple(ObservedDatum(row.text(0), row.text(1)) for row in fields.rows("data", 2)),
    )


def _indexed(fields: Fields) -> Indexed:
    return Indexed(
        tuple(
            IndexedCheck(row.word(0), row.text(1), row.integer(2), row.text(3), row.text(4))
            for row in fields.rows("checks", 5)
        )
    )


def _framed(fields: Fields) -> Framed:
    return Framed(
        Frame(fields.text("call"), fields.text("place"), fields.integer("line", absent=0)),
        fields.text("text"),
        fields.integer("first"),
        tuple(Local(row.text(0), row.text(1)) for row in fields.rows("locals", 2)),
    )


def _done(_fields: Fields) -> Done:
    return Done()


_PARSERS: dict[str, Callable[[Fields], Reply]] = {
    "refused": lambda fields: Refused(fields.text("reason")),
    "failed": _failed,
    "opened": _done,
    "loaded": _done,
    "received": _done,
    "imported": _done,
    "kept": lambda fields: Kept(fields.texts("blocks")),
    "forked": lambda fields: Forked(fields.integer("pid")),
    "swept": lambda fields: Swept(len(fields.integers("killed"))),
    "adopted": lambda fields: Adopted(fields.integer("revision"), fields.integer("generation")),
    "restored": lambda _fields: Restored(),
    "stale": lambda fields: Stale(fields.integer("generation")),
    "invalid": lambda fields: Invalid(
        fields.text("reason"), fields.integer("line", absent=0), fields.integer("column", absent=0)
    ),
    "value": lambda fields: Value(*_returned(fields)),
    "paused": _paused,
    "repaired": lambda fields: Repaired(*_returned(fields), _restarts(fields)),
    "resumed": lambda fields: Resumed(fields.integer("generation"), fields.text("restart"), fields.text("name")),
    "abandoned": lambda fields: Abandoned(fields.integer("generation")),
    "dropped": lambda fields: Dropped(fields.integer("generation")),
    "accepted": lambda fields: Accepted(fields.integer("revision"), fields.integer("generation")),
    "checked": lambda fields: Checked(fields.flag("ok"), fields.text("detail")),
    "chunk": lambda fields: Chunk(fields.word("part"), fields.text("text"), fields.text("name")),
    "exported": _exported,
    "observed": _observed,
    "inspected": lambda fields: Inspected(fields.text("value"), fields.text("output")),
    "framed": _framed,
    "reads": lambda fields: Reads(fields.integer("forms")),
    "names": lambda fields: Names(fields.texts("names")),
    "signalled": lambda fields: Signalled(fields.text("condition"), fields.text("type"), fields.text("output")),
    "indexed": _indexed,
    "unreadable": lambda fields: Unreadable(
        fields.text("file"), fields.integer("line", absent=0), fields.text("reason")
    ),
}
