"""What differs between two exports of a world, by name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from jiti_tui.engine.interface.snapshot import Change, ChangeSign
from jiti_tui.kernel.exports import BlockEntry, Export
from jiti_tui.kernel.holder import NO_BLOCKS
from jiti_tui.store.manifest import FileEntry

SHOWN_CHARACTERS = 65536
"""The longest text of a file or a value that a difference shows."""
SUMMARY_NAMES = 20


def definition_changes(before: Export, after: Export) -> tuple[Change, ...]:
    """Definitions that were added, changed or removed, in the order of `after`, removed ones last."""
    return tuple(differences(_definitions(before), _definitions(after)))


def data_changes(before: Export, after: Export, old_blocks: Mapping[str, str] = NO_BLOCKS) -> tuple[Change, ...]:
    """Entries of the data table and variables that differ, as they stand in data.sexp or in a block.

    `old_blocks` has the texts of the blocks in which `after` says that changed entries stood before. Of very many
    changes the last one only says how many more there are.
    """
    old = _data(before) | _in_blocks(after.before, old_blocks)
    changes = tuple(differences(old, _data(after) | _in_blocks(after.after, after.block_texts)))
    return (*changes, _many(f"{after.rest} more entries")) if after.rest else changes


def block_changes(before: Mapping[str, FileEntry], after: Mapping[str, FileEntry]) -> tuple[Change, ...]:
    """The blocks of data that differ between two revisions, as one change, and without what differs in them."""
    count = sum(before.get(name) != after.get(name) for name in before.keys() | after.keys())
    return (_many(f"{count} blocks of the data table"),) if count else ()


def file_changes(before: Export, after: Export) -> tuple[Change, ...]:
    """Files of the world that differ, with their text; what is no text, or a long one, is shown by its size."""
    return tuple(differences(_files(before), _files(after)))


def summary(definitions: Iterable[Change], data: Iterable[Change]) -> str:
    """One short line: "+sales-tax ~total-price", data after definitions, "no change" when there is none."""
    names = list(dict.fromkeys(f"{change.sign}{_in_line(change)}" for change in (*definitions, *data)))
    more = len(names) - SUMMARY_NAMES
    return " ".join([*names[:SUMMARY_NAMES], *([f"and {more} more"] if more > 0 else [])]) or "no change"


def _in_line(change: Change) -> str:
    return change.name if change.kind == "file" else change.name.lower()


def _definitions(export: Export) -> dict[tuple[str, str], str]:
    return {(entry.kind, entry.name): export.definitions[entry.start : entry.end] for entry in export.definition_index}


def _data(export: Export) -> dict[tuple[str, str], str]:
    return {("data", entry.name): _bounded(export.data[entry.start : entry.end]) for entry in export.data_index}


def _in_blocks(entries: Iterable[BlockEntry], texts: Mapping[str, str]) -> dict[tuple[str, str], str]:
    return {
        ("data", entry.name): _bounded(texts[entry.block][entry.start : entry.end])
        for entry in entries
        if entry.block in texts
    }


def _many(name: str) -> Change:
    return Change(ChangeSign.CHANGED, "data", name, "", "")


def _bounded(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(text)} characters, SHA-256 {digest}"


def _files(export: Export) -> dict[tuple[str, str], str]:
    return {("file", name): _shown(content) for name, content in export.files.items()}


def _shown(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\0"
    if len(text) <= SHOWN_CHARACTERS and "\0" not in text:
        return text
    return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"


def named(export: Export) -> dict[tuple[str, str], str]:
    """All that an export of everything holds, by kind and name: definitions, data, files. Very long texts are told by
    their size and hash.
    """
    return _definitions(export) | _data(export) | _in_blocks(export.after, export.block_texts) | _files(export)


def differences(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> Iterable[Change]:
    """What was added, changed or removed, in the order of `after`, removed ones last."""
    for (kind, name), text in after.items():
        old = before.get((kind, name))
        if old is None:
            yield Change(ChangeSign.ADDED, kind, name, "", text)
        elif old != text:
            yield Change(ChangeSign.CHANGED, kind, name, old, text)
    for (kind, name), text in before.items():
        if (kind, name) not in after:
            yield Change(ChangeSign.REMOVED, kind, name, text, "")
