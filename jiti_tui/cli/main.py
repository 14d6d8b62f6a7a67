"""`jiti-tui`: the command line. `jiti-tui WORLD` opens the screen, `jiti-tui COMMAND ...` is for scripts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from jiti_tui import __version__
from jiti_tui.cli.store_commands import add_store_commands
from jiti_tui.errors import Exit, JitiError

OPEN = "open"
EPILOG = """exit codes: 0 done, 1 goals not met or a condition was signalled, 2 usage, world folder or a form that does
not read, 3 worker or store, 4 no proposer, 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong and where help is, in one sentence each."""

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.USAGE, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code. No error leaves it as a traceback, save a defect of the program itself."""
    parser, names = _parser()
    given = _with_command(list(sys.argv[1:] if arguments is None else arguments), names)
    parsed = parser.parse_args(given)
    if parsed.command is None:
        parser.error("name a world folder, or a command")
    try:
        # A command is imported when it is asked for: the screen must not wait for the others, nor they for the screen.
        return int(import_module(f"jiti_tui.cli.{parsed.module}").main(parsed))
    except JitiError as error:
        print(f"jiti-tui: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of standard output has gone, which is its right.
        return Exit.DONE


def _parser() -> tuple[argparse.ArgumentParser, Container[str]]:
    """The parser, and the names of the commands."""
    common = _Parser(add_help=False)
    common.add_argument("--store", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="keep the store in DIR")
    parser = _Parser(
        prog="jiti-tui",
        usage="jiti-tui [--store DIR] WORLD\n       jiti-tui [--store DIR] COMMAND ...",
        description="Keeps a running Common Lisp world alive while a model proposes how to change it.",
        epilog=EPILOG,
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"jiti-tui {__version__}")
    parser.set_defaults(store=None)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", parser_class=_Parser, prog=parser.prog
    )

    def command(name: str, module: str, summary: str, *, world: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=summary, description=summary[:1].upper() + summary[1:] + ".", parents=[common]
        )
        made.set_defaults(module=module)
        if world:
            made.add_argument("world", type=Path, metavar="WORLD", help="the world folder, with its world.toml")
        return made

    screen = command(OPEN, "screen", "open the screen on a world; the same as jiti-tui WORLD")
    _add_proposer(screen)
    mode = screen.add_mutually_exclusive_group()
    mode.add_argument("--mode", choices=("review", "ask", "auto"), default="review", help="who consents to what")
    mode.add_argument(
        "--read-only",
        dest="mode",
        action="store_const",
        const="read-only",
        help="look on beside the session that holds the store, and change nothing",
    )
    screen.add_argument("--ascii", action="store_true", help="draw with ASCII alone")

    run = command("run", "run", "work through the requests of a world without a screen")
    _add_proposer(run)
    run.add_argument("--request", action="append", default=[], metavar="TEXT", help="instead of those of world.toml")
    run.add_argument("--accept", choices=("auto", "ask"), default="auto", help="who accepts an outcome")
    run.add_argument("--max-attempts", type=_positive, metavar="N", help="stop after N attempts (20)")
    run.add_argument("--unsandboxed", action="store_true", help="accept unattended even where no sandbox can run")
    run.add_argument("--json", action="store_true", help="print every event as a line of JSON")

    prompt = command("prompt", "prompt", "print what a model would be sent for the next step")
    prompt.add_argument("--json", action="store_true", help="print the body of the call, the answer's schema included")

    evaluate = command("eval", "evaluate", "print the value of a form in the accepted world, changing nothing")
    evaluate.add_argument("form", metavar="FORM", help="a Lisp form")

    add_store_commands(command, _positive)
    doctor = command("doctor", "doctor", "say what is here, what is missing and what to do about it", world=False)
    doctor.add_argument(
        "--model",
        type=Path,
        nargs="?",
        const=Path(),
        metavar="WORLD",
        help="ask the model once, as a session on WORLD would, and say what works",
    )
    return parser, commands.choices


def _add_proposer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--proposer", choices=("openai", "replay"), help="openai when there is a key, else replay")
    parser.add_argument("--transcript", type=Path, metavar="FILE", help="recorded answers for replay")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write a transcript that replays to these revisions"
    )
    parser.add_argument(
        "--budget",
        type=_limit,
        action="append",
        default=[],
        metavar="LIMIT",
        help="stop and ask there: request.attempts=N, session.tokens=N, session.money=X, request.seconds=S",
    )


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


def _with_command(arguments: list[str], names: Container[str]) -> list[str]:
    """Put `open` first where a world stands in the place of one of the commands' `names`: `jiti-tui WORLD`."""
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word in ("-h", "--help", "--version"):
            return arguments
        if word in names:
            return arguments
        if not word.startswith("-"):
            return [OPEN, *arguments]
        index += 2 if word in ("--store", "--proposer", "--transcript", "--mode", "--record", "--budget") else 1
    return arguments
