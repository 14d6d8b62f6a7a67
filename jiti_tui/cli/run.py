"""`jiti-tui run`: the engine without a screen, for scripts and for a plain terminal."""

from __future__ import annotations

import argparse
import os
import queue
import signal
import sys
from types import FrameType

from jiti_tui.cli.report import outcome_lines, sentence
from jiti_tui.engine.commands import Accept, Go, NextRequest, Painted, Quit, Reject, TakeSuggestion
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.events import Event
from jiti_tui.engine.options import Options
from jiti_tui.engine.phase import Mode, Phase
from jiti_tui.engine.snapshot import Snapshot
from jiti_tui.errors import Exit, UsageError, WorkerError
from jiti_tui.world.folder import World, read_world


def main(arguments: argparse.Namespace) -> int:
    """Work through the requests; return the exit code.

    Raises UsageError when there is nothing to do or nobody to ask.
    """
    world = read_world(arguments.world, arguments.store)
    if not world.requests and not arguments.request:
        raise UsageError(f"{world.name} has no requests: write one into world.toml, or give one with --request TEXT.")
    if arguments.accept == "ask" and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("--accept ask needs a terminal to ask at. Use --accept auto, or run it at one.")
    options = Options(
        mode=Mode.REVIEW if arguments.accept == "ask" else Mode.AUTO,
        proposer=arguments.proposer,
        transcript=arguments.transcript,
        requests=tuple(arguments.request),
        max_attempts=arguments.max_attempts,
        unsandboxed=arguments.unsandboxed,
        headless=True,
        environ=dict(os.environ),
    )
    return _Run(world, options, as_json=arguments.json).run()


class _Run:
    """The main thread's side: prints events, and asks at the terminal where outcomes are to be asked for."""

    def __init__(self, world: World, options: Options, *, as_json: bool) -> None:
        self._asks = options.mode is not Mode.AUTO
        self._as_json = as_json
        self._news: queue.SimpleQueue[Event | Snapshot] = queue.SimpleQueue()
        self._engine = Engine(world, options, on_snapshot=self._news.put, on_event=self._news.put)
        self._interrupted = False
        self._answered: Painted | None = None

    def run(self) -> int:
        """Work until the session ends; return the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)
        self._engine.start()
        self._engine.send(Go())
        while True:
            news = self._news.get()
            if isinstance(news, Event):
                self._print(news)
            elif news.phase is Phase.CLOSED:
                break
            elif self._asks and self._news.empty():
                self._answer(news)
        self._engine.join()
        ending = self._engine.ending
        if self._interrupted:
            return Exit.INTERRUPTED
        if ending is None:
            raise WorkerError("The engine ended without saying why, which is a defect of jiti-tui.")
        if ending.sentence:
            print(f"jiti-tui: {ending.sentence}", file=sys.stderr)
        return ending.exit

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._interrupted = True
        self._engine.send(Quit())

    def _print(self, event: Event) -> None:
        line = event.as_json() if self._as_json else sentence(event)
        if line:
            print(line, flush=True)

    def _answer(self, snapshot: Snapshot) -> None:
        """Stand in for the operator, once for each picture: ask about an outcome, let everything else go on."""
        if snapshot.painted == self._answered:
            return
        if snapshot.phase is Phase.READY and snapshot.outcome is not None:
            self._answered = snapshot.painted
            for line in outcome_lines(snapshot):
                print(line, file=sys.stderr)
            self._engine.send(Accept(snapshot.painted) if _consents() else Reject(snapshot.painted))
        elif snapshot.suggestion is not None:
            self._answered = snapshot.painted
            self._engine.send(TakeSuggestion(snapshot.painted))
        elif snapshot.phase is Phase.MET:
            self._answered = snapshot.painted
            self._engine.send(NextRequest(snapshot.painted))


def _consents() -> bool:
    """Ask at the terminal until the answer is yes or no; the end of input is a no."""
    while True:
        print("Accept this outcome? [y/n] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not answer or answer.strip().lower() in ("n", "no"):
            return False
        if answer.strip().lower() in ("y", "yes"):
            return True
