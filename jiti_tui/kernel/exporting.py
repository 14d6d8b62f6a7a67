"""A world written down by the process that holds it, as texts and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import Chunk, Export, Exported, NotReconstructible
from jiti_tui.kernel.file_transfer import exported_files
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.process import Worker

EXPORT_SECONDS = 120.0

_BLOCK = re.compile(r"[0-9a-f]{16}")


async def export(
    worker: Worker, files: Mapping[str, bytes], seconds: float = EXPORT_SECONDS
) -> Export | NotReconstructible:
    """Have `worker`, whose world had `files` at last, write its world down.

    Blocks of data that have not changed since the last revision are not written. What is written counts as a revision
    for the process from here on. `NotReconstructible` names what it holds that cannot be written.
    """
    asked = worker.send("export")
    reply = await worker.answer(asked, seconds=seconds)
    if isinstance(reply, Failed):
        return NotReconstructible(reply.reason, reply.path)
    if not isinstance(reply, Exported):
        raise worker.unexpected(reply)
    definitions, data = _joined(asked.chunks, "definitions"), _joined(asked.chunks, "data")
    _require_inside(((entry.start, entry.end) for entry in reply.definitions), definitions)
    _require_inside(((entry.start, entry.end) for entry in reply.data), data)
    return Export(
        definitions,
        data,
        reply.definitions,
        reply.data,
        exported_files(asked.chunks, reply.files, reply.same, files),
        reply.blocks,
        _blocks(asked.chunks, reply.blocks),
        reply.before,
        reply.after,
        reply.rest,
        reply.state,
    )


def _joined(chunks: Iterable[Chunk], part: str) -> str:
    return "".join(chunk.text for chunk in chunks if chunk.part == part)


def _blocks(chunks: Iterable[Chunk], names: tuple[str, ...]) -> dict[str, str]:
    """The texts of the blocks that came in `chunks`, by name. `names` are those of all blocks of the world."""
    pieces: dict[str, list[str]] = {}
    for chunk in chunks:
        if chunk.part == "block":
            pieces.setdefault(chunk.name, []).append(chunk.text)
    if len(set(names)) != len(names) or not pieces.keys() <= set(names) or not all(map(_BLOCK.fullmatch, names)):
        raise WorkerError("A worker sent blocks of data under wrong names.")
    return {name: "".join(texts) for name, texts in pieces.items()}


def _require_inside(spans: Iterable[tuple[int, int]], text: str) -> None:
    if not all(start <= end <= len(text) for start, end in spans):
        raise WorkerError("A worker sent an export whose index points outside of its text.")
