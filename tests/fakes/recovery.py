"""A world and its recovery, side by side: each accepted attempt is imported in a fresh process as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fakes.attempt import Attempt, evaluate, look

from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Holder, Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.verifier import Verifier
from jiti_tui.kernel.world import World


@dataclass
class Story:
    """The live world, and a process that has imported what the live world wrote when it was accepted last."""

    keeper: Keeper
    opening: Opening
    base: str
    world: World
    recovered: Verifier | None = None
    export: Export | None = None

    @classmethod
    async def begin(cls, keeper: Keeper, base: str = "", opening: Opening | None = None) -> Story:
        story = cls(keeper, opening or Opening(["W"]), base, await keeper.fork_world())
        await story._open(story.world)
        await story.world.adopt(0, 0)
        return story

    async def accept(self, forms: str, *restarts: str) -> Attempt:
        """Evaluate forms, take the restarts by name where it pauses, and accept: it must come back the same."""
        attempt = await self._evaluate(forms, restarts)
        refused = await self._verify(attempt)
        assert refused == [], refused
        self.world = await attempt.candidate.accept(self.world.revision + 1, attempt.generation)
        return attempt

    async def refused(self, forms: str, *restarts: str) -> list[str]:
        """Evaluate forms and drop them. Returns what speaks against them: the path of what cannot be written, or the
        names of what comes back different.
        """
        attempt = await self._evaluate(forms, restarts)
        refused = await self._verify(attempt)
        assert refused
        await attempt.candidate.close()
        return refused

    async def value(self, expression: str) -> str:
        """What an expression returns, in the live world as in the recovered one."""
        assert self.recovered is not None
        live = await look(self.world, expression)
        assert await look(self.recovered, expression) == live
        return live

    @property
    def definitions(self) -> str:
        """The definitions as they were written last, without what stands above the first."""
        assert self.export is not None
        return self.export.definitions.partition("\n\n(in-package #:w)\n\n")[2]

    @property
    def data(self) -> list[str]:
        """The places that have data."""
        assert self.export is not None
        return [entry.name for entry in self.export.data_index]

    async def _evaluate(self, forms: str, restarts: Sequence[str]) -> Attempt:
        attempt = await evaluate(self.world, forms)
        for restart in restarts:
            await attempt.resume(restart)
        assert isinstance(attempt.outcome, Value), attempt.outcome
        return attempt

    async def _verify(self, attempt: Attempt) -> list[str]:
        export = await attempt.candidate.export()
        if isinstance(export, NotReconstructible):
            return [export.path]
        process = await self.keeper.fork_verifier()
        await self._open(process)
        failed = await process.import_(export.definitions, export.data, export.files, export.block_texts)
        assert failed is None, failed
        again = await process.export()
        assert isinstance(again, Export), again
        lost = sorted({entry.name for entry in {*export.state} ^ {*again.state}})
        if lost:
            await process.close()
            return lost
        assert again.definitions == export.definitions
        assert again.data == export.data
        if self.recovered is not None:
            await self.recovered.close()
        self.recovered, self.export = process, export
        return []

    async def _open(self, process: Holder) -> None:
        await process.open(self.opening)
        if self.base:
            failed = await process.load_base("base.lisp", self.base)
            assert failed is None, failed
