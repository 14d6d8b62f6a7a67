"""Files of the world on their way to a process and back; `docs/wire.md` has the messages."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence

from jiti_tui.errors import WorkerError
from jiti_tui.file_names import MAX_FILES, clash, name_problem
from jiti_tui.kernel.exports import Chunk
from jiti_tui.kernel.messages import Done, Failed, Reply
from jiti_tui.kernel.process import Worker

CHUNK_BYTES = 768 * 1024
"""1 MiB as base64."""


async def send_files(worker: Worker, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Reply:
    """Give the process in `worker`, which has the files `before`, the files `after`.

    Returns its last reply: `Failed` when it has refused one of them, and then it has got no more.
    """
    for name in before.keys() - after.keys():
        reply = await worker.ask("remove-file", name=name)
        if isinstance(reply, Failed):
            return reply
    for name, content in after.items():
        if before.get(name) == content:
            continue
        for start in range(0, len(content) or 1, CHUNK_BYTES):
            octets = base64.b64encode(content[start : start + CHUNK_BYTES]).decode("ascii")
            reply = await worker.ask("receive-file", name=name, octets=octets, more=start > 0)
            if not isinstance(reply, Done):
                return reply
    return Done()


def exported_files(
    chunks: Iterable[Chunk], sent: Sequence[str], same: Sequence[str], known: Mapping[str, bytes]
) -> dict[str, bytes]:
    """The files of an export by name, in the order of the names' code points.

    `sent` are the names of those that came in `chunks`, `same` of those that are as in `known`. Raises WorkerError when
    they contradict each other, or a name is none.
    """
    parts: dict[str, list[bytes]] = {}
    for chunk in chunks:
        if chunk.part == "files":
            try:
                parts.setdefault(chunk.name, []).append(base64.b64decode(chunk.text, validate=True))
            except (binascii.Error, ValueError):
                raise WorkerError("A worker sent a file that is no base64.") from None
    names = [*sent, *same]
    if len(names) > MAX_FILES or len(set(names)) != len(names) or parts.keys() != set(sent):
        raise WorkerError("A worker sent other files than it names, or too many.")
    for name in names:
        problem = name_problem(name)
        if problem is not None:
            raise WorkerError(f"A worker sent a file whose name {name[:80]!r} {problem}.")
    if (folder := clash(names)) is not None:
        raise WorkerError(f"A worker sent {folder[:80]!r} as a file and as a folder.")
    unknown = [name for name in same if name not in known]
    if unknown:
        raise WorkerError(f"A worker says that {unknown[0][:80]!r} is the same as before, and it was not there.")
    return {name: b"".join(parts[name]) if name in parts else known[name] for name in sorted(names)}
