"""`jiti-tui`: the command line. `jiti-tui WORLD` opens the screen, `jiti-tui COMMAND ...` is for scripts."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Container, Sequence
from importlib import import_module

from jiti_tui.cli.parser import OPEN, Commands
from jiti_tui.cli.streams import complain, prepare
from jiti_tui.errors import Exit, JitiError

_TAKING_A_VALUE = ("--store", "--proposer", "--transcript", "--mode", "--record", "--budget")
_STARTING_WORKERS = frozenset({"run", "evaluate", "verify", "revert", "replay", "export", "prompt", "check"})
"""Modules of commands that wait for worker processes. The screen looks ahead by itself, after its first paint."""
_ALLOCATIONS = 50_000
"""How many objects are made before the collector looks at them: what a screen imports and draws is hardly garbage."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code. No error leaves it as a traceback, save a defect of the program itself."""
    gc.set_threshold(_ALLOCATIONS)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it looks for some in all that is installed
    prepare()
    commands = Commands()
    given = _with_command(list(sys.argv[1:] if arguments is None else arguments), commands.parsers)
    parsed = commands.parse(given)
    try:
        gc.disable()  # until the command is imported
        if parsed.module in _STARTING_WORKERS:
            look_ahead = import_module("jiti_tui.kernel.machine").look_ahead
            look_ahead()
        # A command is imported when it is asked for: the screen must not wait for the others, nor they for the screen.
        command = import_module(f"jiti_tui.cli.{parsed.module}")
        gc.freeze()  # what was imported stays
        gc.enable()
        return int(command.main(parsed))
    except JitiError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of standard output has gone, which is its right.
        return Exit.DONE


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
        index += 2 if word in _TAKING_A_VALUE else 1
    return arguments
