"""The checklist: the goals and invariants of a world as its files have them now, and their verdicts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

from jiti_tui.engine.interface.snapshot import CheckKind, CheckRow
from jiti_tui.engine.throwaway import gathered, throwaway
from jiti_tui.errors import UnreadableFile, WorkerError, WorldFolderError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Holder
from jiti_tui.kernel.messages import Unreadable
from jiti_tui.kernel.runner import Runner
from jiti_tui.world.check_files import CheckFiles, read_check_files
from jiti_tui.world.files import SourceFile
from jiti_tui.world.folder import World
from jiti_tui.world.requests import Deciding, Goal, deciding, refuse_duplicates, resolve_requests
from jiti_tui.world.settings import Request

AT_ONCE = 1 + (os.cpu_count() or 1)
"""Checks under way at a time: one for each processor, and one that is being forked."""


@frozen
class Check:
    """One predicate, in the kernel's hands as text: a top-level form of a check file, or a test of a suite."""

    kind: CheckKind
    name: str
    file: str
    line: int
    text: str
    suite: str = ""
    """What the tests of the suite are called together, "" where there is no suite."""


@frozen
class Verdict:
    """What a check said of one world."""

    check: Check
    ok: bool
    detail: str


class Checklist:
    """`checks` are those of the last files that read; `verdicts` those of the accepted world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sha256 = ""
        self._files: dict[str, str] = {}
        self.suspect = ""
        """The file that differed at the last reload, or that could not be read; "" when there was none."""
        self.reads = True
        """Whether the files read at the last reload."""
        self._refused = ""
        self.checks: tuple[Check, ...] = ()
        self.verdicts: tuple[Verdict, ...] = ()

    async def reload(self, runner: Runner) -> bool:
        """Read the check files again; True when the checks are others than before.

        Raises WorldFolderError with file and line when a file does not read, or a request names what is not there; then
        the last good checks stay.
        """
        self.suspect, self.reads = "", False
        try:
            files = await asyncio.to_thread(read_check_files, self._world)
        except UnreadableFile as error:
            self.suspect = error.file
            raise
        if files.sha256 == self._sha256:
            self.reads = files.sha256 != self._refused
            return False
        self._refused = files.sha256
        try:
            changed = await self._take(files, runner)
        except WorkerError:
            self._sha256 = ""  # nothing was wrong with the files: they are to be read again
            raise
        self._refused, self.reads = "", True
        return changed

    async def _take(self, files: CheckFiles, runner: Runner) -> bool:
        self._sha256 = files.sha256
        self._note_suspect({source.file: source.sha256 for source in (*files.goals, *files.invariants)})
        found: list[Check] = []
        for kind, sources in ((CheckKind.GOAL, files.goals), (CheckKind.INVARIANT, files.invariants)):
            of_kind = [check for source in sources for check in await _index(runner, kind, source)]
            refuse_duplicates(kind, ((check.name, check.file, check.line) for check in of_kind))
            found += of_kind
        resolve_requests(self._world, _goals_of(found), _names(found, CheckKind.INVARIANT))
        before, self.checks = self.checks, tuple(found)
        return before != self.checks

    def deciding(self, requests: Sequence[Request], number: int) -> Deciding:
        """The goals that decide about request `number` (from 1; 0: none), and the invariants that hold by then."""
        return deciding(requests, number, _goals_of(self.checks), _names(self.checks, CheckKind.INVARIANT))

    def _note_suspect(self, files: dict[str, str]) -> None:
        changed = [name for name in {**self._files, **files} if self._files.get(name) != files.get(name)]
        self._files, self.suspect = files, changed[0] if changed else ""

    async def run(self, process: Holder | Candidate, decides: Deciding) -> tuple[Verdict, ...]:
        """Ask every invariant that holds, and every goal, of the world in `process`.

        Each has a throwaway fork of its own: what one of them changes, no other sees.
        """
        return *await self._ask(process, self._holding(decides)), *await self._ask(process, self._goals())

    async def judge(self, process: Holder | Candidate, decides: Deciding) -> tuple[Verdict, ...]:
        """As `run`, for a candidate: one that breaks an invariant is refused, whatever its goals would say."""
        verdicts = await self._ask(process, self._holding(decides))
        return verdicts if first_broken(verdicts, decides) else (*verdicts, *await self._ask(process, self._goals()))

    def _holding(self, decides: Deciding) -> list[Check]:
        invariants = [check for check in self.checks if check.kind is CheckKind.INVARIANT]
        return [check for check in invariants if check.name in decides.invariants]

    def _goals(self) -> list[Check]:
        return [check for check in self.checks if check.kind is CheckKind.GOAL]

    async def _ask(self, process: Holder | Candidate, checks: Sequence[Check]) -> tuple[Verdict, ...]:
        places = asyncio.Semaphore(AT_ONCE)

        async def ask(check: Check) -> Verdict:
            async with places, throwaway(process) as runner:
                said = await runner.check(
                    check.kind.value,
                    check.name,
                    file=check.file,
                    line=check.line,
                    text=check.text,
                    seconds=self._world.limits.check_seconds,
                )
            return Verdict(check, said.ok, said.detail)

        return tuple(await gathered(ask(check) for check in checks))

    def rows(self, decides: Deciding, candidate: Sequence[Verdict] = ()) -> tuple[CheckRow, ...]:
        """The checklist as the screen shows it, with the candidate's verdicts beside the accepted world's."""
        now = {(verdict.check.kind, verdict.check.name): verdict for verdict in self.verdicts}
        then = {(verdict.check.kind, verdict.check.name): verdict for verdict in candidate}
        rows = []
        for check in self.checks:
            here, there = now.get((check.kind, check.name)), then.get((check.kind, check.name))
            names = decides.goals if check.kind is CheckKind.GOAL else decides.invariants
            rows.append(
                CheckRow(
                    check.kind,
                    check.name,
                    check.file,
                    check.line,
                    here.ok if here else None,
                    here.detail if here else "",
                    there.ok if there else None,
                    there.detail if there else "",
                    check.name in names,
                    "" if check.suite else check.text,
                )
            )
        return tuple(rows)


async def _index(runner: Runner, kind: CheckKind, source: SourceFile) -> list[Check]:
    found = await runner.index_checks(kind.value, source.file, source.text)
    if isinstance(found, Unreadable):
        raise WorldFolderError(f"{found.file} line {found.line}: {found.reason}")
    return [Check(kind, entry.name, source.file, entry.line, entry.text, entry.suite) for entry in found]


def _goals_of(checks: Sequence[Check]) -> tuple[Goal, ...]:
    return tuple(Goal(check.name, check.suite) for check in checks if check.kind is CheckKind.GOAL)


def _names(checks: Sequence[Check], kind: CheckKind) -> tuple[str, ...]:
    return tuple(check.name for check in checks if check.kind is kind)


def broken(verdicts: Sequence[Verdict], decides: Deciding) -> tuple[Verdict, ...]:
    """The invariants that do not hold."""
    return tuple(
        v for v in verdicts if v.check.kind is CheckKind.INVARIANT and v.check.name in decides.invariants and not v.ok
    )


def first_broken(verdicts: Sequence[Verdict], decides: Deciding) -> Verdict | None:
    """The first invariant that is broken, None when all hold."""
    return next(iter(broken(verdicts, decides)), None)


def met(verdicts: Sequence[Verdict], decides: Deciding) -> bool:
    """All goals that decide pass, and there is one at least."""
    passed = {v.check.name for v in verdicts if v.check.kind is CheckKind.GOAL and v.ok}
    return bool(decides.goals) and passed.issuperset(decides.goals)


def goals_met(verdicts: Sequence[Verdict], decides: Deciding) -> tuple[int, int]:
    """How many of the goals that decide pass, and how many decide."""
    passed = {v.check.name for v in verdicts if v.check.kind is CheckKind.GOAL and v.ok}
    return len(passed.intersection(decides.goals)), len(decides.goals)


def as_records(verdicts: Sequence[Verdict], kind: CheckKind, names: Sequence[str]) -> list[dict[str, object]]:
    """The verdicts of one kind, as the `checked` event has them."""
    return [
        {"name": v.check.name, "ok": v.ok, "detail": v.detail}
        for v in verdicts
        if v.check.kind is kind and v.check.name in names
    ]
