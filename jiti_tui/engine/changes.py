"""What differs between two exports of a world, by name."""

from __future__ import annotations

from collections.abc import Iterable

from jiti_tui.engine.snapshot import Change, ChangeSign
from jiti_tui.kernel.messages import Export


def definition_changes(before: Export, after: Export) -> tuple[Change, ...]:
    """Definitions that were added, changed or removed, in the order of `after`, removed ones last."""
    return tuple(_differences(_definitions(before), _definitions(after)))


def data_changes(before: Export, after: Export) -> tuple[Change, ...]:
    """Entries of the data table and variables that differ, as they stand in data.sexp."""
    return tuple(_differences(_data(before), _data(after)))


def summary(definitions: Iterable[Change], data: Iterable[Change]) -> str:
    """One short line: "+sales-tax ~total-price", data after definitions, "no change" when there is none."""
    names = [f"{change.sign}{change.name.lower()}" for change in (*definitions, *data)]
    return " ".join(dict.fromkeys(names)) or "no change"


def _definitions(export: Export) -> dict[tuple[str, str], str]:
    return {(entry.kind, entry.name): export.definitions[entry.start : entry.end] for entry in export.definition_index}


def _data(export: Export) -> dict[tuple[str, str], str]:
    return {("data", entry.name): export.data[entry.start : entry.end] for entry in export.data_index}


def _differences(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> Iterable[Change]:
    for (kind, name), text in after.items():
        old = before.get((kind, name))
        if old is None:
            yield Change(ChangeSign.ADDED, kind, name, "", text)
        elif old != text:
            yield Change(ChangeSign.CHANGED, kind, name, old, text)
    for (kind, name), text in before.items():
        if (kind, name) not in after:
            yield Change(ChangeSign.REMOVED, kind, name, text, "")
