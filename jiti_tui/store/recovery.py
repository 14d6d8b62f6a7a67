"""Recovery: what is done first when a store is opened for writing. Cut off anywhere, it simply runs again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jiti_tui.errors import StoreDamaged
from jiti_tui.frozen import frozen
from jiti_tui.store.archive import Archive
from jiti_tui.store.current import examine
from jiti_tui.store.files import Files, Handle
from jiti_tui.store.history import read_manifest
from jiti_tui.store.layout import LOG
from jiti_tui.store.log import Damage
from jiti_tui.store.manifest import FORMAT, Manifest, Steps
from jiti_tui.store.migration import Migration, migrate
from jiti_tui.store.pruned import Pruned, read_pruned
from jiti_tui.store.pruning import finish_pruning
from jiti_tui.store.record import Record
from jiti_tui.store.segments import LogReader

_ENDS_PROPOSAL = frozenset({"stale", "invalid", "inspected", "repaired", "resumed", "goals-met", "stopped"})
_ENDS_ATTEMPT = frozenset({"restored", "abandoned", "published", "accepted", "lost"})


@frozen
class Recovery:
    """What was found when the store was opened.

    `archived` names what was moved to `archive/`. `clean`: the last session, if there was one, said that it closed.
    `under_way` holds the log's records of what that session had not ended, oldest first: a proposal, an attempt, its
    last pause. `damage` is in the segment of the log that was appended to; the rest of it stays readable.
    """

    archived: tuple[str, ...] = ()
    clean: bool = True
    under_way: tuple[dict[str, Any], ...] = ()
    damage: tuple[Damage, ...] = ()
    pruned: int = 0
    """Revisions that an interrupted pruning had left, and that are removed now."""
    doubt: str = ""
    """What is wrong with `pruned.sexp`."""
    migration: Migration | None = None
    """From which older format the store has come just now."""

    @property
    def lost(self) -> str:
        """What was under way, in words: "a proposed repair, attempt 4, a pause at level 0"; "" when nothing was."""
        return ", ".join(_in_words(record) for record in self.under_way)

    @property
    def done(self) -> tuple[str, ...]:
        """What recovery did and found, a sentence each; empty when there was nothing to do."""
        moved = [f"Moved to archive/, since it was not accepted: {', '.join(self.archived)}."] if self.archived else []
        removed = [f"Removed {self.pruned} pruned revisions that were left."] if self.pruned else []
        return (
            *moved,
            *removed,
            *([_migrated(self.migration)] if self.migration else []),
            *([self.doubt] if self.doubt else []),
            *(f"{LOG}: the record at byte {item.offset} does not count: {item.reason}." for item in self.damage),
        )


def recover(files: Files, root: Handle, steps: Steps) -> tuple[Manifest | None, Recovery]:
    """Return the accepted revision's manifest, None in a new store, and what was found; archive what is not accepted.

    A store of an older format is migrated by `steps`. The caller holds the lock. Raises StoreDamaged, having changed
    nothing, when the accepted revision is not the one that was published last, or is damaged.
    """
    current, log = examine(files, root.path)
    accepted = None if current is None else read_manifest(files, root.path, current, steps=steps)
    pruned, doubt = _pruned(files, root)
    clean, under_way = _last_session(log, current)
    archive = Archive(files, root)
    archive.take_unreached(current)
    archive.take_torn_record(log.last.torn, log.last.whole)
    left = finish_pruning(files, root, pruned) if current is not None and pruned.lowest <= current else 0
    migration = None if current is None else migrate(files, root, current, steps)
    return accepted, Recovery(tuple(archive.names), clean, under_way, log.last.damage, left, doubt, migration)


def _pruned(files: Files, root: Handle) -> tuple[Pruned, str]:
    """What was pruned, and what is wrong with the file that says it: then nothing is removed."""
    try:
        return read_pruned(files, root.path), ""
    except StoreDamaged as error:
        return Pruned(), error.fact


def _last_session(log: LogReader, current: int | None) -> tuple[bool, tuple[dict[str, Any], ...]]:
    """Whether the last session closed, and what it had begun and not ended."""
    records: list[dict[str, Any]] = []
    for record in log.newest_first():
        if record.get("event") in ("closed", "recover"):
            return True, ()
        records.append(record)
        if record.get("event") == "session":
            break
    unended = _unended(reversed(records))
    # What was tried on an earlier revision was published, and the crash came before the log could tell.
    return not records, tuple(record for record in unended if record.get("revision", current) == current)


def _unended(records: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The last proposal, attempt and pause that no later record ends."""
    under_way: dict[str, dict[str, Any]] = {}
    event: Any = None
    for record in records:
        previous, event = event, record.get("event")
        if event in ("proposal", "attempt", "paused"):
            under_way.pop(event, None)
            under_way[event] = record
        elif event in _ENDS_PROPOSAL:
            under_way.pop("proposal", None)
            if previous == "attempt":  # its forms were refused, and nothing ran
                under_way.pop("attempt", None)
        elif event in _ENDS_ATTEMPT:
            under_way.clear()
        if event == "resumed":
            under_way.pop("paused", None)
    return under_way.values()


def _migrated(migration: Migration) -> str:
    return (
        f"The store was of format {migration.older} and is of format {FORMAT} now. "
        f"As it was it is kept in archive/{migration.kept}."
    )


def _in_words(record: Record) -> str:
    match record:
        case {"event": "proposal", "action": {"kind": str(kind)}}:
            return f"a proposed {kind}"
        case {"event": "attempt", "number": int(number)}:
            return f"attempt {number}"
        case {"event": "paused", "level": int(level)}:
            return f"a pause at level {level}"
    return str(record["event"])
