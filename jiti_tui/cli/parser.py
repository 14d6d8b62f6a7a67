"""The command line's parser: every command with its options, and what to do after it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from jiti_tui import __version__
from jiti_tui.cli.store_commands import add_store_commands
from jiti_tui.errors import Exit

OPEN = "open"
EPILOG = """first steps: jiti-tui new DIR makes a world that runs, jiti-tui DIR opens it. exit codes: 0 done, 1 goals
not met or a condition was signalled, 2 usage, world folder or a form that does not read, 3 worker or store, 4 no
proposer, 130 interrupted"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong and where help is, in one sentence each."""

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.USAGE, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


class Commands:
    """The parser, and its commands by name in the order in which help lists them."""

    def __init__(self) -> None:
        # A command whose --store has no default leaves the one that stands before it alone.
        self._common = _with_store(Parser(add_help=False), default=argparse.SUPPRESS)
        self.parser = Parser(
            prog="jiti-tui",
            usage="jiti-tui [--store DIR] WORLD\n       jiti-tui [--store DIR] COMMAND ...",
            description="Keeps a running Common Lisp world alive while a model proposes how to change it.",
            epilog=EPILOG,
        )
        _with_store(self.parser, default=None)
        self.parser.add_argument("--version", action="version", version=f"jiti-tui {__version__}")
        self._added = self.parser.add_subparsers(
            title="commands", metavar="COMMAND", dest="command", parser_class=Parser, prog=self.parser.prog
        )
        self.summaries: dict[str, str] = {}
        self._add()

    @property
    def parsers(self) -> dict[str, argparse.ArgumentParser]:
        """The parser of each command."""
        return dict(self._added.choices)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """What is asked. Where that cannot be told: says why, and where help is, and exits with USAGE."""
        parsed, unknown = self.parser.parse_known_args(arguments)
        if parsed.command is None:
            self.parser.error("name a world folder, or a command; jiti-tui new DIR makes a world")
        if unknown and parsed.command == OPEN and not os.path.exists(parsed.world):  # noqa: PTH110 - Path's can raise
            self.parser.error(
                f"{str(parsed.world)!r} is neither a command nor a world folder{self._near(parsed.world)}"
            )
        if unknown:
            self.parsers[parsed.command].error(f"{parsed.command} takes no {' '.join(unknown)}")
        return parsed

    def _near(self, name: Path) -> str:
        from difflib import get_close_matches  # noqa: PLC0415 - the screen's first paint must not wait for it

        near = get_close_matches(str(name), self.parsers, n=1)
        return f"; write {near[0]} if you meant that" if near else ""

    def command(
        self, name: str, module: str, summary: str, *, following: str, world: bool = True
    ) -> argparse.ArgumentParser:
        """Add a command: its name, the module with its `main`, what it does and what to do after it."""
        made = self._added.add_parser(
            name,
            help=summary,
            description=summary[:1].upper() + summary[1:] + ".",
            epilog=f"next: {following}",
            parents=[self._common],
        )
        made.set_defaults(module=module)
        self.summaries[name] = summary
        if world:
            made.add_argument("world", type=Path, metavar="WORLD", help="the world folder, with its world.toml")
        return made

    def _add(self) -> None:
        self._add_screen()
        self._add_run()
        self._add_worlds()
        prompt = self.command(
            "prompt",
            "prompt",
            "print what a model would be sent for the next step",
            following="jiti-tui doctor --model WORLD asks the model once",
        )
        prompt.add_argument(
            "--json", action="store_true", help="print the body of the call, the answer's schema included"
        )
        evaluate = self.command(
            "eval",
            "evaluate",
            "print the value of a form in the accepted world, changing nothing",
            following="jiti-tui WORLD opens the screen, where ! evaluates for keeps",
        )
        evaluate.add_argument("form", metavar="FORM", help="a Lisp form")
        add_store_commands(self.command, _positive)
        doctor = self.command(
            "doctor",
            "doctor",
            "say what is here, what is missing and what to do about it",
            following="jiti-tui new DIR makes a world that runs",
            world=False,
        )
        doctor.add_argument(
            "--model",
            type=Path,
            nargs="?",
            const=Path(),
            metavar="WORLD",
            help="ask the model once, as a session on WORLD would, and say what works",
        )
        completion = self.command(
            "completion",
            "completion",
            "print what makes a shell complete jiti-tui's commands and options",
            following='eval "$(jiti-tui completion bash)" in ~/.bashrc; for fish: jiti-tui completion fish | source',
            world=False,
        )
        completion.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")

    def _add_screen(self) -> None:
        screen = self.command(
            OPEN,
            "screen",
            "open the screen on a world; the same as jiti-tui WORLD",
            following="? on the screen lists the keys; jiti-tui run WORLD goes on without it",
        )
        _add_proposer(screen)
        _add_record(screen)
        _add_looks(screen)
        serve = self.command(
            "serve",
            "serve",
            "offer the screen to browsers on this machine: one drives, the others look on",
            following="ssh -L PORT:127.0.0.1:PORT HOST brings it to a browser elsewhere; Ctrl-C ends it",
        )
        _add_proposer(serve)
        serve.set_defaults(record=None)
        _add_looks(serve)
        serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="a loopback address (127.0.0.1)")
        serve.add_argument("--port", type=_port, default=0, metavar="N", help="0, the default, takes a free one")

    def _add_run(self) -> None:
        run = self.command(
            "run",
            "run",
            "work through the requests of a world without a screen",
            following="jiti-tui history WORLD lists what was accepted",
        )
        _add_proposer(run)
        _add_record(run)
        run.add_argument(
            "--request",
            action="append",
            default=[],
            metavar="TEXT",
            help="instead of those of world.toml; as often as needed",
        )
        run.add_argument("--accept", choices=("auto", "ask"), default="auto", help="who accepts an outcome")
        run.add_argument("--max-attempts", type=_positive, metavar="N", help="stop after N attempts (20)")
        run.add_argument("--unsandboxed", action="store_true", help="accept unattended even where no sandbox can run")
        run.add_argument("--json", action="store_true", help="print every event as a line of JSON")

    def _add_worlds(self) -> None:
        new = self.command(
            "new",
            "new",
            "make a world that runs, to be changed into your own",
            following="jiti-tui DIR opens it, jiti-tui check DIR says what is wrong with it",
            world=False,
        )
        new.add_argument("directory", type=Path, metavar="DIR", help="a directory that is not there yet, or is empty")
        self.command(
            "check",
            "check",
            "say what is wrong with a world folder, with file and line",
            following="jiti-tui WORLD opens it, jiti-tui run WORLD works through its requests",
        )


def _with_store(parser: Parser, *, default: str | None) -> Parser:
    parser.add_argument("--store", type=Path, metavar="DIR", default=default, help="keep the store in DIR")
    return parser


def _add_proposer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--proposer", choices=("openai", "replay"), help="openai when there is a key, else replay")
    parser.add_argument("--transcript", type=Path, metavar="FILE", help="recorded answers for replay")
    parser.add_argument(
        "--budget",
        type=_limit,
        action="append",
        default=[],
        metavar="LIMIT",
        help="stop and ask there: request.attempts=N, session.tokens=N, session.money=X, request.seconds=S",
    )


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write a transcript that replays to these revisions"
    )


def _add_looks(parser: argparse.ArgumentParser) -> None:
    """Add who consents on a screen, and how it is drawn."""
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--mode", choices=("review", "ask", "auto"), default="review", help="who consents to what")
    mode.add_argument(
        "--read-only",
        dest="mode",
        action="store_const",
        const="read-only",
        help="look on beside the session that holds the store, and change nothing",
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII alone")
    parser.add_argument(
        "--no-mouse", dest="mouse", action="store_false", help="leave the mouse to the terminal and its selection"
    )


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() and len(text) < 6 else 65536
    if number > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: write a number up to 65535")
    return number


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def _limit(text: str) -> object:
    from jiti_tui.budget import read_option  # noqa: PLC0415 - the screen's first paint must not wait for it

    try:
        return read_option(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
