"""What an export says of a world: its texts, what is where in them, and what has to come back the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from jiti_tui.frozen import frozen
from jiti_tui.kernel.messages import Reply


@frozen
class Chunk(Reply):
    """A piece of an export; `part` is "definitions", "data", "block" or "files".

    The last two are of the block or the file `name`. Files are base64.
    """

    part: str
    text: str
    name: str = ""


@frozen
class DefinitionEntry:
    """Where a definition stands in the exported definitions: characters from `start` up to `end`."""

    kind: str
    name: str
    start: int
    end: int


@frozen
class DataEntry:
    """Where a datum stands in the exported data: characters from `start` up to `end`."""

    name: str
    start: int
    end: int


@frozen
class BlockEntry:
    """Where an entry of the data table stands in a block: characters from `start` up to `end`."""

    name: str
    block: str
    start: int
    end: int


@frozen
class StateEntry:
    """Something that the texts of an export do not say and that must come back the same: a name and a fingerprint."""

    name: str
    fingerprint: str


@frozen
class Exported(Reply):
    """The end of an export: what is where in the text of its chunks, and the names of the world's files and blocks.

    `files` are those that came in chunks, `same` those that are what the controller has. `blocks` are all blocks; those
    that did not come in chunks are as in the last revision. `before` and `after` say where the entries that changed
    stood in the blocks of that revision, and where they stand in the new ones; `rest` counts those that are left out.
    `state` must be the same in whatever imports the export.
    """

    definitions: tuple[DefinitionEntry, ...]
    data: tuple[DataEntry, ...]
    files: tuple[str, ...]
    same: tuple[str, ...]
    blocks: tuple[str, ...]
    before: tuple[BlockEntry, ...]
    after: tuple[BlockEntry, ...]
    rest: int
    state: tuple[StateEntry, ...]


@frozen
class Export:
    """A whole export: two texts, what is where in them, and the files of the world by their names.

    Where the data table is large, most of it is in blocks: `blocks` names them all, and `block_texts` has those that
    are not as in the last revision. `before`, `after`, `rest` and `state` are those of `Exported`.
    """

    definitions: str
    data: str
    definition_index: tuple[DefinitionEntry, ...]
    data_index: tuple[DataEntry, ...]
    files: Mapping[str, bytes]
    blocks: tuple[str, ...] = ()
    block_texts: Mapping[str, str] = field(default_factory=dict)
    before: tuple[BlockEntry, ...] = ()
    after: tuple[BlockEntry, ...] = ()
    rest: int = 0
    state: tuple[StateEntry, ...] = ()


@frozen
class NotReconstructible:
    """The world holds something that cannot be written down; `path` leads to it."""

    reason: str
    path: str
