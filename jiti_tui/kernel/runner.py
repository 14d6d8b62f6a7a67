"""The runner: a throwaway fork. Whatever is evaluated in it changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from jiti_tui.errors import WorkerDied, WorkerError
from jiti_tui.kernel.client import Client
from jiti_tui.kernel.exporting import EXPORT_SECONDS, export
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.messages import (
    Checked,
    Failed,
    Framed,
    Indexed,
    IndexedCheck,
    Inspected,
    Invalid,
    Names,
    Reads,
    Signalled,
    Unreadable,
)
from jiti_tui.kernel.observed import Observed
from jiti_tui.kernel.process import Worker
from jiti_tui.sexp import Keyword

OBSERVE_SECONDS = 30.0
INDEX_SECONDS = 30.0
READ_SECONDS = 5.0


class Runner(Client):
    """A fork of a world, a candidate or a verifier. `close` it when it has answered.

    `files` are those of `Forks`.
    """

    def __init__(self, worker: Worker, files: Mapping[str, bytes]) -> None:
        super().__init__(worker)
        self._files = files

    async def check(self, kind: str, name: str, file: str, line: int, text: str, seconds: float) -> Checked:
        """Run one "goal" or "invariant", whose own text is `text`. Whatever goes wrong in it is its failure."""
        try:
            reply = await self.worker.evaluate(
                "check", seconds=seconds, kind=Keyword(kind), name=name, file=file, line=line, text=text
            )
        except WorkerDied as error:
            late = f"timed out after {seconds:g} s"
            return Checked(ok=False, detail=late if self.worker.deaf else f"its process ended: {error}")
        if isinstance(reply, Checked):
            return reply
        raise self.worker.unexpected(reply)

    async def export(self, seconds: float = EXPORT_SECONDS) -> Export | NotReconstructible:
        """Write the world down; `NotReconstructible` names what it holds that cannot be."""
        return await export(self.worker, self._files, seconds)

    async def observe(self, characters: int, seconds: float = OBSERVE_SECONDS) -> Observed:
        """Return what a view shows, each printed value cut to `characters`."""
        reply = await self.worker.ask("observe", seconds=seconds, characters=characters)
        if isinstance(reply, Observed):
            return reply
        if isinstance(reply, Failed):
            raise WorkerError(reply.reason)
        raise self.worker.unexpected(reply)

    async def inspect(
        self, expression: str, seconds: float, frame: int | None = None
    ) -> Inspected | Signalled | Invalid:
        """Evaluate one expression, in a frame of the pause with the variables that it has, if its index is given."""
        try:
            reply = await self.worker.evaluate("inspect", seconds=seconds, expression=expression, frame=frame)
        except WorkerDied as error:
            if self.worker.deaf:
                return Signalled(f"The evaluation took more than {seconds:g} s.", "JITI:TIME-LIMIT")
            return Signalled(f"The evaluation ended its process: {error}", "")
        if isinstance(reply, Inspected | Signalled | Invalid):
            return reply
        raise self.worker.unexpected(reply)

    async def frame(self, index: int, seconds: float) -> Framed | Invalid:
        """Tell all about a frame of the pause that this process was forked from.

        The innermost has index 0; those of outer levels count on from those of the inner ones.
        """
        reply = await self.worker.evaluate("frame", seconds=seconds, index=index)
        if isinstance(reply, Framed | Invalid):
            return reply
        raise self.worker.unexpected(reply)

    async def read_check(self, text: str, *, datum: bool) -> Reads | Invalid:
        """Say whether `text` reads and the policy allows it: as forms, or as the one `datum` that a restart takes."""
        reply = await self.worker.ask("read-check", seconds=READ_SECONDS, text=text, datum=datum)
        if isinstance(reply, Reads | Invalid):
            return reply
        raise self.worker.unexpected(reply)

    async def complete(self, prefix: str) -> tuple[str, ...]:
        """Return the names that a token beginning with `prefix` can be, the shortest first."""
        reply = await self.worker.ask("complete", seconds=READ_SECONDS, prefix=prefix)
        if isinstance(reply, Names):
            return reply.names
        raise self.worker.unexpected(reply)

    async def index_checks(self, kind: str, file: str, text: str) -> tuple[IndexedCheck, ...] | Unreadable:
        """Find the checks in the text of a check file; `kind` is that of bare predicates, "goal" or "invariant"."""
        reply = await self.worker.ask("index-checks", seconds=INDEX_SECONDS, kind=Keyword(kind), file=file, text=text)
        if isinstance(reply, Indexed):
            return reply.checks
        if isinstance(reply, Unreadable):
            return reply
        raise self.worker.unexpected(reply)
