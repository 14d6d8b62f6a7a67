"""A session: what its parts share, and the few things that all of them do to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress

from jiti_tui.engine.accepted_world import mend
from jiti_tui.engine.agenda import Agenda
from jiti_tui.engine.attempts.attempt import Attempt
from jiti_tui.engine.attempts.verification import Verification
from jiti_tui.engine.board import Board
from jiti_tui.engine.checklist import Checklist, Verdict, met
from jiti_tui.engine.compiled import Compiled
from jiti_tui.engine.deciding.asker import Asker
from jiti_tui.engine.deciding.chooser import Chooser
from jiti_tui.engine.deciding.judgement import Judgement
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.desk import Answered, Desk, Died, FilesChanged, Item
from jiti_tui.engine.ending import Ending, SessionOver
from jiti_tui.engine.follower import follow
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.engine.journal import Journal
from jiti_tui.engine.loop import work
from jiti_tui.engine.opening import open_session
from jiti_tui.engine.queries.questions import Questions
from jiti_tui.engine.queries.typing_help import TypingHelp
from jiti_tui.engine.records.recorder import Recorder
from jiti_tui.engine.reporter import Reporter
from jiti_tui.engine.throwaway import throwaway
from jiti_tui.engine.what_if.trials import Trials
from jiti_tui.engine.workers import Workers
from jiti_tui.errors import Exit, JitiError, WorkerDied, WorldFolderError
from jiti_tui.kernel.exports import Export
from jiti_tui.model.choose import NO_PROPOSER
from jiti_tui.store.store import Store
from jiti_tui.world.folder import World
from jiti_tui.world.requests import Deciding

_CHECK_FILES = "check files"
"""What notices of their reading are about."""


class Session:
    """Lives in the engine's thread. `run` opens the world, works, and leaves no process behind."""

    store: Store
    export: Export
    """The accepted world as it is on disk."""

    def __init__(self, folder: World, options: Options, board: Board, on_event: Callable[[Event], None] | None) -> None:
        self.folder = folder
        self.options = options
        self.reads_only = options.mode is Mode.READ_ONLY
        """The session holds no lock: it shows the store and changes nothing."""
        self.board = board
        self.recorder = Recorder(options.record, board) if options.record is not None else None
        self.journal = Journal(board, [hear for hear in (on_event, self.recorder and self.recorder.hear) if hear])
        self.judgement = Judgement()
        self.spending = Spending(board, options.budgets)
        self.tell = Reporter(board, self.journal, self.judgement, self.spending)
        self.desk = Desk(board)
        self.agenda = Agenda(folder.requests)
        self.checklist = Checklist(folder)
        self.workers = Workers(folder, lambda process: self.desk.put(Died(process)))
        self.verification = Verification(self.workers)
        self.compiled = Compiled(self.workers, folder.limits.heap_mb, board.notice, compiles=options.compiles)
        self.asker = Asker(board, self.desk, self.spending, self.journal.keep_defect)
        self.no_proposer = NO_PROPOSER
        """Why there is no proposer."""
        self.chooser = Chooser(self)
        self.trials = Trials(self)
        self.typing_help = TypingHelp(self)
        self.questions = Questions(self.spawn)
        self.attempt: Attempt | None = None
        self.attempts = 0
        self.idle_answers = 0
        """Answers of the proposer since the last attempt began."""
        self.transcript_line = 0
        self.later: list[str] = []
        """Requests written while an attempt was under way."""
        self.started = False
        """The operator has asked for work in this session."""
        self.begun_before = False
        """An earlier session had begun the current request."""
        self.cut_off = False
        """The session before this one did not end by itself, and nothing has been started since."""
        self.finished = False
        """The proposer has ended the current request, which has no goals."""
        self.met_said = False
        """The log tells already that the current request is met."""
        self.request_said = False
        """The log tells already which request comes first."""
        self.stopping: Ending | None = None
        """Why the proposer is asked nothing more, until the operator goes on."""
        self._work: asyncio.Task[None] | None = None
        self._side_tasks: set[asyncio.Task[None]] = set()
        self._quit = False

    async def run(self) -> Ending:
        """Open, work until the end, close. Every error becomes an ending with its sentence."""
        self._work = asyncio.create_task(self._open_and_work(), name="session")
        if self._quit:
            self._work.cancel()
        ending = await self._ending_of(self._work)
        closing = await self._ending_of(self._close())
        if ending.exit is Exit.DONE and closing.exit is not Exit.DONE:
            ending = closing
        self.board.enter(Phase.CLOSED, reason=ending.sentence)
        return ending

    def quit(self) -> None:
        """End the session. A second time cuts nothing short that the first lets end."""
        if self._work is not None and not self._quit:
            self._work.cancel()
        self._quit = True

    def go(self) -> None:
        """The operator asks for work: from here on the proposer may be asked."""
        self.started, self.cut_off, self.stopping, self.idle_answers = True, False, None, 0
        self.judgement.forgive()
        self.spending.grant()
        self.asker.hurry()
        self.board.show(held=False, reason="")

    def look_on(self, holder: str) -> None:
        """Only read from here on: `holder` has the store."""
        self.reads_only = True
        self.board.show(mode=Mode.READ_ONLY, holder=holder)

    @property
    def generation(self) -> int:
        """The present generation, as the workers have it too."""
        return self.board.snapshot.generation

    @property
    def revision(self) -> int:
        """The accepted revision."""
        return self.board.snapshot.revision

    @property
    def decides(self) -> Deciding:
        """The goals that decide about the current request, and the invariants that hold."""
        # Requests of world.toml that the command line has replaced still say which invariants wait for them.
        return self.checklist.deciding([*self.agenda.requests, *self.folder.requests], self.agenda.number)

    @property
    def is_met(self) -> bool:
        """The current request has ended: all its goals pass in the accepted world, or the proposer has finished it."""
        if self.agenda.current is None:
            return False
        return self.finished or met(self.checklist.verdicts, self.decides)

    async def move_generation(self) -> None:
        """One step on: no view made before is true any more. Every process that checks generations is told."""
        await self.trials.drop()
        self.board.show(generation=self.generation + 1, shown_frame=None)
        await self.tell_generation()

    async def tell_generation(self) -> None:
        """Tell the worker processes the present generation."""
        processes = [self.workers.world, self.attempt.process if self.attempt is not None else None]
        for process in processes:
            if process is not None:
                with suppress(WorkerDied):  # what takes its place is told, and its death is news of its own
                    await process.adopt(self.revision, self.generation)

    async def reload_checks(self, *, first: bool = False) -> bool:
        """Read the check files again; True when other checks are in force now, which moves the generation.

        Files that do not read leave the last good checks in force; the `first` time that is a WorldFolderError.
        """
        read_before = self.checklist.reads
        try:
            async with throwaway(self.workers.living_world) as runner:
                changed = await self.checklist.reload(runner)
        except WorldFolderError as error:
            if first:
                raise
            self.journal.emit("reloaded", file=self.checklist.suspect, error=str(error))
            self.board.notice(f"{error} The last good checks stay.", Severity.ERROR, about=_CHECK_FILES)
            return False
        if not changed and not first:
            if self.checklist.reads and not read_before:
                self.board.notice("The check files read again, and say what they said.", about=_CHECK_FILES)
            return False
        if not first:
            await self.move_generation()
            self.journal.emit("reloaded", file=self.checklist.suspect, error=None)
            self.board.notice(f"Reloaded {self.checklist.suspect}.", about=_CHECK_FILES)
        await self.check_world()
        return True

    async def check_world(self) -> None:
        """Ask all checks about the accepted world, and show what they say."""
        self.checklist.verdicts = await self.checklist.run(self.workers.living_world, self.decides)
        self.show_checks()

    def show_checks(self, candidate: Sequence[Verdict] = ()) -> None:
        """Show the checklist, with the candidate's verdicts where there is one, and the requests it belongs to."""
        waits = not self.started and not self.is_met
        self.board.show(
            checks=self.checklist.rows(self.decides, candidate),
            request=self.agenda.row(),
            next_request=self.agenda.row(0 if waits else 1),
        )

    def stop_asking(self, ending: Ending) -> None:
        """Ask the proposer nothing more until the operator goes on; a headless session ends so, once it is idle."""
        self.stopping = ending
        self.board.show(held=True, reason=ending.sentence)
        if not self.options.headless:
            self.board.notice(ending.sentence, Severity.ERROR)

    async def attend(self, item: Item) -> None:
        """Do what an item asks for in whatever state the session is.

        An item that is not named here has had its effect in `dispatch`, or has none in this state.
        """
        match item:
            case commands.AddRequest():
                self.later.append(item.text)
                self.board.notice("The request comes next, when this attempt has ended.")
            case Answered():
                self.chooser.keep(item)
            case FilesChanged():
                await self.reload_checks()
            case Died():
                await mend(self)

    def spawn(self, coroutine: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something beside the loop, until the session ends. What fails there is told to the operator."""
        task = asyncio.create_task(coroutine)
        self._side_tasks.add(task)
        task.add_done_callback(self._side_task_ended)
        return task

    def _side_task_ended(self, task: asyncio.Task[None]) -> None:
        self._side_tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tell_error(error)

    def tell_error(self, error: BaseException) -> None:
        """Tell the operator of what failed beside the loop."""
        sentence = str(error) if isinstance(error, JitiError) else self.journal.keep_defect(error)
        self.board.notice(sentence, Severity.ERROR)

    async def _ending_of(self, work: Awaitable[None]) -> Ending:
        try:
            await work
        except asyncio.CancelledError:
            return Ending()
        except SessionOver as over:
            return over.ending
        except JitiError as error:
            return Ending(error.exit_code, str(error))
        except Exception as error:
            return Ending(Exit.WORKER, self.journal.keep_defect(error))
        return Ending()

    async def _open_and_work(self) -> None:
        await open_session(self)
        await (follow(self) if self.reads_only else work(self))

    async def _close(self) -> None:
        for task in self._side_tasks:
            task.cancel()
        async with AsyncExitStack() as last_first:
            if self.recorder is not None:
                last_first.callback(self.recorder.close)
            last_first.callback(self.journal.close)
            last_first.push_async_callback(self.workers.close)
            last_first.push_async_callback(self.verification.close)
            last_first.push_async_callback(self.compiled.close)
            last_first.push_async_callback(self.asker.close)
            last_first.push_async_callback(self.trials.drop)
            await asyncio.gather(*self._side_tasks, return_exceptions=True)
