"""Trials: what would come of several answers, each tried in a fork of its own, at the same time.

Restarts are tried in forks of the paused candidate, proposals in candidates of the accepted world. A trial moves no
generation, writes nothing and is dropped with the view that it was for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from jiti_tui.engine.checklist import AT_ONCE
from jiti_tui.engine.deciding.restart_after_repair import KERNEL_RESTARTS, restart_after_repair
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.engine.throwaway import cancel_begun
from jiti_tui.engine.troubles import restore_world
from jiti_tui.engine.what_if.trial import Outcome, evaluate, followed, judged, take_restart
from jiti_tui.errors import JitiError, WorkerError
from jiti_tui.frozen import frozen
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.messages import Paused, Restart, Stale, Value
from jiti_tui.model.action import Repair, Resume

if TYPE_CHECKING:
    from jiti_tui.engine.session import Session


MOST_TRIALS = 32
"""For one view: each keeps a process while it runs, a proposal until one is chosen."""

Fork = Callable[[], Awaitable[Candidate]]
"""Makes the process of a trial."""
Act = Callable[[Candidate], Awaitable[Outcome]]
"""Does there what is tried."""


@frozen
class Tried:
    """A proposal that was tried: its forms, and the candidate that still stands where they have led."""

    forms: str
    candidate: Candidate
    outcome: Value | Paused


class Trials:
    """The trials of the present view. Their rows are the snapshot's `trials`, oldest first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rows: dict[int, TrialRow] = {}
        self._tried: dict[int, Tried] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._dropping = asyncio.Lock()
        self._number = 0
        self._all_of: int | None = None
        """The generation whose restarts are all tried."""

    @property
    def rows(self) -> tuple[TrialRow, ...]:
        """What is known so far."""
        return tuple(self._rows.values())

    @property
    def _menu(self) -> tuple[Restart, ...]:
        """The restarts of the present pause, none where nothing is paused."""
        attempt = self._session.attempt
        return attempt.paused.restarts if attempt is not None and attempt.paused is not None else ()

    @property
    def weighs(self) -> bool:
        """Answers of the proposer to a pause are being tried."""
        return any(row.answer and not row.ended for row in self.rows)

    def receive(self, command: commands.WhatIf | commands.WhatIfAll | commands.TryProposals) -> None:
        """Start what the operator wants tried."""
        match command:
            case commands.WhatIf():
                self.try_restart(command.restart, command.arguments, command.forms)
            case commands.WhatIfAll():
                self.try_restarts()
            case commands.TryProposals():
                self.try_proposals(command.proposals, own=True)

    def try_restarts(self) -> None:
        """Try each restart of the present pause that can be taken without arguments."""
        self._all_of = self._session.generation
        for restart in self._menu:
            if restart.least == 0 and restart.name not in KERNEL_RESTARTS:
                self.try_restart(restart.id)

    def try_again(self) -> None:
        """Try all restarts again, if they had been tried and an answer that came to nothing has dropped the trials."""
        if self._all_of == self._session.generation and not self._rows:
            self.try_restarts()

    def try_answer(self, action: Repair | Resume) -> int:
        """Try one of several answers to the present pause, a repair with the restart that goes on after it; the number
        of its row.
        """
        if isinstance(action, Resume):
            self.try_restart(action.restart, action.arguments, answer=True)
        else:
            self.try_restart(restart_after_repair(self._menu), (), action.forms, answer=True)
        return self._number

    def try_restart(
        self, restart: str, arguments: Sequence[str] = (), forms: str = "", *, answer: bool = False
    ) -> None:
        """Try a restart of the present pause, with `forms` as a repair before it unless that is ""; the repair alone
        where `restart` is "".
        """
        session = self._session
        attempt = session.attempt
        if attempt is None or not attempt.choosing or not isinstance(attempt.process, Candidate):
            session.board.notice("Nothing is paused: there is no restart to be tried.")
            return
        candidate = attempt.process
        name = next((row.name for row in self._menu if row.id == restart), "")
        row = TrialRow(self._next(), restart, name, tuple(arguments), forms, answer=answer)
        self._start(row, candidate.trial, partial(take_restart, session, row))

    def try_proposals(self, proposals: Sequence[str], *, own: bool = False) -> None:
        """Evaluate each of `proposals`, Lisp source, in a candidate of its own; `take` chooses one.

        They are the operator's `own`, or the proposer's.
        """
        session = self._session
        if session.attempt is not None:
            session.board.notice("An attempt is under way: proposals are tried when it has ended.")
            return
        for forms in proposals:
            row = TrialRow(self._next(), "", "", (), forms, own=own)
            self._start(row, self._candidate, partial(evaluate, session, row), keep=True)

    async def ended(self) -> tuple[TrialRow, ...]:
        """Wait until all have ended; their rows."""
        while self._running:
            await asyncio.wait(self._running)
        return self.rows

    async def take(self, number: int) -> Tried | None:
        """Choose the proposal of that number, and drop the others; None where it has led to no value and no pause."""
        tried = self._tried.pop(number, None)
        await self.drop(restore=tried is None)
        return tried

    def stop(self) -> None:
        """End what still runs; what has ended stays."""
        cancel_begun(self._running)

    async def drop(self, *, restore: bool = True) -> None:
        """End all trials: nothing of them is left.

        The world, which they had frozen, goes on if no attempt is under way; not without `restore`, since one is about
        to be, or has just ended.
        """
        # One at a time: else a second one would return, and an attempt begin, while the first still restores the world.
        async with self._dropping:
            running, self._running = self._running, set()
            for task in running:
                task.cancel()
            self._rows.clear()  # who waits for their ends finds none of them
            await asyncio.gather(*running, return_exceptions=True)
            for tried in self._tried.values():
                tried.candidate.kill("another was chosen")
            self._tried.clear()
            self._show()
            if restore and self._session.attempt is None:
                await restore_world(self._session)

    def _start(self, row: TrialRow, fork: Fork, act: Act, *, keep: bool = False) -> None:
        if len(self._rows) >= MOST_TRIALS:
            self._session.board.notice(f"{MOST_TRIALS} trials are enough for one view.")
            return
        task = asyncio.create_task(self._run(row, fork, act, keep), name=f"trial {row.number}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        self._put(row)

    async def _run(self, row: TrialRow, fork: Fork, act: Act, keep: bool) -> None:
        """Try `row`; `keep` its process for `take`."""
        process: Candidate | None = None
        begun = time.monotonic()
        try:
            async with self._places:
                since = time.monotonic()
                process = await fork()
                row, outcome = await followed(self._session, row, process, await act(process))
                end = await judged(self._session, row, process, outcome)
                end = replace(end, seconds=time.monotonic() - since)
            if keep and isinstance(outcome, Value | Paused):
                self._tried[row.number] = Tried(row.forms, process, outcome)
        except asyncio.CancelledError:
            if row.number in self._rows:
                stopped = f"Stopped after {time.monotonic() - begun:.0f} s."
                self._put(replace(row, state=TrialState.FAILED, text=stopped))
            raise
        except JitiError as error:
            late = process is not None and process.worker.deaf
            end = replace(row, state=TrialState.TIMED_OUT if late else TrialState.FAILED, text=str(error))
        finally:
            if process is not None and row.number not in self._tried:
                process.kill("it was a trial")
        self._put(end)

    async def _candidate(self) -> Candidate:
        session = self._session
        made = await session.workers.living_world.attempt(session.generation, session.attempts + 1)
        if isinstance(made, Stale):
            raise WorkerError("The world has moved on.")
        return made

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _put(self, row: TrialRow) -> None:
        self._rows[row.number] = row
        self._show()

    def _show(self) -> None:
        self._session.board.show(trials=self.rows)
