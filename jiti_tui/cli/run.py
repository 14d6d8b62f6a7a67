"""`jiti-tui run`: the engine without a screen, for scripts and for a plain terminal."""

from __future__ import annotations

import argparse
import queue
import signal
import sys
import time
from types import FrameType

from jiti_tui.cli.asking_options import asking_options
from jiti_tui.cli.plain import one_line
from jiti_tui.cli.question import Question, Typed
from jiti_tui.cli.report import outcome_lines, sentence
from jiti_tui.cli.streams import complain, on_terminal, say
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Accept, Go, NextRequest, Painted, Quit, Reject, TakeSuggestion
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.waiting import Waiting
from jiti_tui.errors import Exit, UsageError, WorkerError
from jiti_tui.world.folder import World, read_world


def main(arguments: argparse.Namespace) -> int:
    """Work through the requests; return the exit code.

    Raises UsageError when there is nothing to do or nobody to ask.
    """
    world = read_world(arguments.world, arguments.store)
    if not world.requests and not arguments.request:
        raise UsageError(f"{world.name} has no requests: write one into world.toml, or give one with --request TEXT.")
    if arguments.accept == "ask" and not on_terminal(sys.stdin, sys.stderr):
        raise UsageError("--accept ask needs a terminal to ask at. Use --accept auto, or run it at one.")
    options = Options(
        mode=Mode.REVIEW if arguments.accept == "ask" else Mode.AUTO,
        requests=tuple(arguments.request),
        unsandboxed=arguments.unsandboxed,
        headless=True,
        **asking_options(arguments, world, headless=True),
    )
    return _Run(world, options, as_json=arguments.json).run()


def _tell_wait(waiting: Waiting | None, before: Waiting | None) -> None:
    """Say once that the model is asked again after a failure, and when."""
    if waiting is not None and waiting != before:
        seconds = max(0.0, waiting.until - time.time())
        complain(f"{one_line(waiting.reason, 600)} Asked again in {seconds:.0f} s.")


def _question(snapshot: Snapshot) -> str:
    """What the operator is to be asked, "" where nothing waits for his consent."""
    if snapshot.phase is Phase.READY and snapshot.outcome is not None:
        return "Accept this outcome?"
    if snapshot.suggestion is not None and snapshot.suggestion.kind == "finish":
        return "No goal says whether the request is done. Is it?"
    return ""


class _Run:
    """The main thread's side: prints events, and asks at the terminal where outcomes are to be asked for."""

    def __init__(self, world: World, options: Options, *, as_json: bool) -> None:
        self._asks = options.mode is not Mode.AUTO
        self._as_json = as_json
        self._news: queue.SimpleQueue[Event | Snapshot | Typed] = queue.SimpleQueue()
        self._engine = Engine(world, options, on_snapshot=self._news.put, on_event=self._news.put)
        self._question = Question(self._news.put)
        self._interrupted = False
        self._answered: tuple[Painted, int] | None = None
        """The picture that was answered last, with the number of the proposal that waited in it."""

    def run(self) -> int:
        """Work until the session ends; return the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)
        self._engine.start()
        self._engine.send(Go())
        try:
            self._follow()
        except BrokenPipeError:
            # Nobody reads what is told: that is an interruption, and the session ends in order.
            self._interrupted = True
        finally:
            self._engine.send(Quit())
            self._engine.join()
        ending = self._engine.ending
        if self._interrupted:
            return Exit.INTERRUPTED
        if ending is None:
            raise WorkerError("The engine ended without saying why, which is a defect of jiti-tui.")
        if ending.sentence:
            complain(ending.sentence)
        return ending.exit

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._interrupted = True
        self._engine.send(Quit())

    def _follow(self) -> None:
        """Take in news until the session has closed."""
        snapshot = self._engine.snapshot
        while snapshot.phase is not Phase.CLOSED:
            news = self._news.get()
            match news:
                case Event():
                    self._tell(news)
                case Typed():
                    self._decide(news, snapshot)
                case Snapshot():
                    _tell_wait(news.waiting, snapshot.waiting)
                    snapshot = news
            if self._asks and self._news.empty():
                self._answer(snapshot)

    def _tell(self, event: Event) -> None:
        line = event.as_json() if self._as_json else sentence(event)
        if line:
            say(line)

    def _answer(self, snapshot: Snapshot) -> None:
        """Stand in for the operator, once for each picture: ask about what ends in a revision or ends a request, let
        everything else go on.
        """
        picture = (snapshot.painted, snapshot.suggestion.number if snapshot.suggestion else 0)
        if picture == self._answered:
            return
        if question := _question(snapshot):
            for line in outcome_lines(snapshot):
                print(line, file=sys.stderr)
            self._question.ask(question)
        elif snapshot.suggestion is not None:
            self._engine.send(TakeSuggestion(snapshot.painted))
        elif snapshot.phase is Phase.MET:
            self._engine.send(NextRequest(snapshot.painted))
        else:
            return
        self._answered = picture

    def _decide(self, typed: Typed, snapshot: Snapshot) -> None:
        """Do as the operator has typed about what was asked last."""
        question = _question(snapshot)
        if not question or self._answered is None or snapshot.painted != self._answered[0]:
            print("Too late: what was asked about is gone.", file=sys.stderr)
        elif typed.consents is None:
            self._question.ask(question)
        elif not typed.consents:
            self._engine.send(Reject(snapshot.painted))
        elif snapshot.phase is Phase.READY:
            self._engine.send(Accept(snapshot.painted))
        else:
            self._engine.send(TakeSuggestion(snapshot.painted))
