"""Verifying: a fresh process imports what would be published, and must write the same and pass the same checks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from contextlib import suppress

from jiti_tui.engine.workers import Workers, sentence
from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.verifier import Verifier
from jiti_tui.store.history import Revision

Judge = Callable[[Holder], Awaitable[str]]
ReadBlocks = Callable[[Iterable[str]], Awaitable[Mapping[str, str]]]


class Verification:
    """Knows the process that holds the accepted revision, from which the next one's verifier is forked.

    Where the next revision differs from that in its data alone, only what differs is imported in the fork. Else a fork
    of the bare base imports everything.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._holding: asyncio.Task[None] | None = None
        self._held: Verifier | None = None
        self._held_export: Export | None = None
        self._next: Verifier | None = None

    def hold(self, revision: Revision, export: Export) -> None:
        """Have a process import `revision`, whose world was written as `export`, beside whatever else goes on."""
        self._workers.prepare_verifier()
        self._holding = asyncio.create_task(self._hold(revision, export), name="hold the accepted revision")

    async def verify(self, export: Export, read_blocks: ReadBlocks, judge: Judge) -> str:
        """Import `export` in a fresh process, export it again and let `judge` ask the checks there.

        `read_blocks` gives the texts of blocks of its data that are no part of the export, by names. Returns "" when
        what is written is the same and `judge` had nothing to say, else what is wrong. Then `accepted` or `drop` must
        follow.
        """
        self.drop()
        if self._holding is not None:
            await asyncio.wait({self._holding})
        before = self._held_export
        if self._held is not None and self._held.worker.alive and before is not None and _only_data(before, export):
            self._next = await self._held.fork_verifier()
            failed = await self._import_changes(self._next, before, export)
            known = dict(export.block_texts)
        else:
            self._next = await self._workers.verifier()
            known = {**await read_blocks(set(export.blocks) - export.block_texts.keys()), **export.block_texts}
            failed = await self._next.import_(export.definitions, export.data, export.files, known)
        if failed is not None:
            return f"a fresh process cannot import it: {sentence(failed)}"
        again = await self._next.export()
        if isinstance(again, NotReconstructible):
            return f"a fresh process cannot export it: {again.reason}"
        unforeseen = (again.block_texts.keys() & set(export.blocks)) - known.keys()
        if unforeseen:
            known |= await read_blocks(unforeseen)
        return _difference(export, again, known) or await judge(self._next)

    def accepted(self, export: Export) -> None:
        """What was verified last has become the accepted revision, written as `export`."""
        if self._next is None:
            return
        if self._held is not None:
            self._held.worker.kill()
        self._held, self._held_export, self._next = self._next, export, None

    def drop(self) -> None:
        """What was verified last, or is being verified, is not accepted."""
        process, self._next = self._next, None
        if process is not None:
            process.worker.kill()

    async def close(self) -> None:
        """Stop what is under way; the processes end with their keeper."""
        if self._holding is not None:
            self._holding.cancel()
            await asyncio.gather(self._holding, return_exceptions=True)

    async def _import_changes(self, process: Verifier, before: Export, export: Export) -> Failed | None:
        gone = set(before.blocks) - set(export.blocks)
        replaced = gone | (set(before.blocks) & export.block_texts.keys())
        return await process.import_changes(export.data, export.block_texts, sorted(replaced))

    async def _hold(self, revision: Revision, export: Export) -> None:
        # Without this process the next verification imports everything, and tells what is wrong then.
        with suppress(WorkerError):
            process = await self._workers.verifier()
            try:
                failed = await process.import_(revision.definitions, revision.data, revision.files, revision.blocks)
                if failed is None and await process.settle():
                    self._held, self._held_export = process, export
            finally:
                if self._held is not process:
                    process.worker.kill()


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
