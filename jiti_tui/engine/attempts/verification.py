"""Verifying: a fresh process imports what would be published, and must write the same and pass the same checks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Set
from contextlib import suppress
from dataclasses import replace

from jiti_tui.engine.attempts.set_aside import SetAside
from jiti_tui.engine.workers import Workers, sentence
from jiti_tui.errors import WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.verifier import ReadBlocks, Verifier
from jiti_tui.store.history import Revision
from jiti_tui.store.manifest import FileEntry

Judge = Callable[[Holder], Awaitable[str]]
Blocks = Mapping[str, FileEntry]
"""The blocks of a revision's data by their names."""


@frozen
class Held:
    """A process that holds a revision, and what that is."""

    process: Verifier
    export: Export
    blocks: Blocks


class Verification:
    """Knows the process that holds the accepted revision, from which the next one's verifier is forked.

    Where the next revision differs from that in its data alone, only what differs is imported in the fork. Else a fork
    of the bare base imports all definitions, and those blocks of data that are not set aside.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._set_aside = SetAside(workers)
        self._holding: asyncio.Task[None] | None = None
        self._held: Held | None = None
        self._next: Held | None = None

    def hold(self, revision: Revision, export: Export) -> None:
        """Have a process import `revision`, whose world was written as `export`, beside whatever else goes on."""
        self._workers.prepare_verifier()
        self._holding = asyncio.create_task(self._hold(revision, export), name="hold the accepted revision")

    async def verify(self, export: Export, blocks: Blocks, read_blocks: ReadBlocks, judge: Judge) -> str:
        """Import `export` in a fresh process, export it again and let `judge` ask the checks there.

        `blocks` are those of its data, `read_blocks` gives their texts, also where they are no part of the export.
        Returns "" when what is written is the same and `judge` had nothing to say, else what is wrong. Then `accepted`
        or `drop` must follow.
        """
        self.drop()
        if self._holding is not None:
            await asyncio.wait({self._holding})
        known: dict[str, str] = {}

        async def read(names: Collection[str]) -> Mapping[str, str]:
            known.update(await read_blocks(names))
            return {name: known[name] for name in names}

        before = self._held
        if before is not None and before.process.worker.alive and _only_data(before.export, export):
            self._next = Held(await before.process.fork_verifier(), export, blocks)
            failed = await _import_changes(before, self._next, read)
        else:
            process, aside = await self._set_aside.fork(blocks, read_blocks)
            self._next = Held(process, export, blocks)
            verified = blocks.keys() - export.block_texts.keys()
            failed = await process.import_around(
                export.definitions, export.data, export.files, export.blocks, read, aside=aside, verified=verified
            )
        if failed is not None:
            return f"a fresh process cannot import it: {sentence(failed)}"
        again = await self._next.process.export()
        if isinstance(again, NotReconstructible):
            return f"a fresh process cannot export it: {again.reason}"
        await read((again.block_texts.keys() & set(export.blocks)) - known.keys())
        return _difference(export, again, known) or await judge(self._next.process)

    def accepted(self) -> None:
        """What was verified last has become the accepted revision."""
        if self._next is None:
            return
        if self._held is not None:
            self._held.process.worker.kill()
        export = replace(self._next.export, block_texts={})
        self._held, self._next = replace(self._next, export=export), None

    def drop(self) -> None:
        """What was verified last, or is being verified, is not accepted."""
        dropped, self._next = self._next, None
        if dropped is not None:
            dropped.process.worker.kill()

    async def close(self) -> None:
        """Stop what is under way; the processes end with their keeper."""
        if self._holding is not None:
            self._holding.cancel()
            await asyncio.gather(self._holding, return_exceptions=True)
        await self._set_aside.close()

    async def _hold(self, revision: Revision, export: Export) -> None:
        async def read(names: Collection[str]) -> Mapping[str, str]:
            return {name: revision.blocks[name] for name in names}

        blocks = revision.manifest.blocks
        # Without this process the next verification imports everything, and tells what is wrong then.
        with suppress(WorkerError):
            process, aside = await self._set_aside.fork(blocks, read)
            held = Held(process, export, blocks)
            try:
                failed = await process.import_around(
                    *(revision.definitions, revision.data, revision.files, tuple(blocks), read),
                    aside=aside,
                    verified=blocks.keys(),
                )
                if failed is None and await process.settle():
                    self._held = held
            finally:
                if self._held is not held:
                    process.worker.kill()


async def _import_changes(before: Held, after: Held, read: ReadBlocks) -> Failed | None:
    """Import in the process `after`, which holds what `before` does, where its revision differs from that."""
    replaced = [name for name, entry in before.blocks.items() if after.blocks.get(name) != entry]
    changed = [name for name in after.export.blocks if before.blocks.get(name) != after.blocks[name]]
    return await after.process.import_changes(after.export.data, await read(changed), sorted(replaced))


def _only_data(before: Export, after: Export) -> bool:
    """Whether `after` differs from `before` in nothing but data that the kernel itself knows how to set."""
    own = ("(adapter ",)
    return (before.definitions, before.files) == (after.definitions, after.files) and not any(
        entry.name.startswith(own) for entry in (*before.data_index, *after.data_index)
    )


def _difference(here: Export, there: Export, known: Mapping[str, str]) -> str:
    """In what the export of a fresh process, `there`, differs from the candidate's; "" when in nothing.

    `known` are the blocks that were imported. State comes first: it has names.
    """
    lost = _lost_state({entry.name for entry in {*here.state} ^ {*there.state}})
    if lost:
        return lost
    for name, left, right in (
        ("world.lisp", here.definitions, there.definitions),
        ("data.sexp", here.data, there.data),
        *((f"data/{name}.sexp", text, there.block_texts.get(name, "")) for name, text in here.block_texts.items()),
        *((f"data/{name}.sexp", known.get(name, ""), text) for name, text in there.block_texts.items()),
    ):
        if left != right:
            return f"{name} comes back different from a fresh process, {_first_difference(left, right)}"
    if here.blocks != there.blocks:
        return "the blocks of its data come back different from a fresh process"
    if here.files != there.files:
        names = sorted(name for name, _ in here.files.items() ^ there.files.items())
        return f"{names[0]} comes back different from a fresh process"
    return ""


def _lost_state(names: Set[str]) -> str:
    """A sentence about state that the texts of a revision do not bring back, "" when `names` has none."""
    if not names:
        return ""
    shown = sorted(names)[:3]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    advice = (
        "What base code holds there must be what the definitions alone put there: take away what they would not, "
        "such as an entry that another one of its name has replaced"
        if shown[0].startswith("the variable ")
        else "A revision keeps the texts of definitions and the data of the world: keep it there, or define it anew"
    )
    come = "come" if len(names) > 1 else "comes"
    return f"{', '.join(shown)}{more} {come} back different from a fresh process. {advice}"


def _first_difference(here: str, there: str) -> str:
    """Where two texts part, as a line number and both lines."""
    pairs = zip(here.split("\n"), there.split("\n"), strict=False)
    for number, (left, right) in enumerate(pairs, 1):
        if left != right:
            return f"at line {number}: {left[:80]!r} became {right[:80]!r}."
    return "at its end."
