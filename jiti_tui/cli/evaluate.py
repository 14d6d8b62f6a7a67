"""`jiti-tui eval`: the value of a form in the accepted world, changing nothing and locking nothing."""

from __future__ import annotations

import argparse
import asyncio
import sys

from jiti_tui.cli.plain import plain
from jiti_tui.cli.streams import complain, on_terminal, say
from jiti_tui.engine.queries.standalone import evaluate
from jiti_tui.errors import Exit
from jiti_tui.kernel.messages import Inspected, Invalid
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print the primary value on the last line of standard output, what the form printed on standard error.

    A program that reads the value gets it as it is; at a terminal no character of it may steer.
    """
    world = read_world(arguments.world, arguments.store)
    answer = asyncio.run(evaluate(world, arguments.form))
    if isinstance(answer, Invalid):
        place = f"line {answer.line}, column {answer.column} of the form: " if answer.line else ""
        complain(f"{place}{answer.reason}")
        return Exit.USAGE
    if answer.output:
        print(plain(answer.output), end="" if answer.output.endswith("\n") else "\n", file=sys.stderr)
    if isinstance(answer, Inspected):
        say(plain(answer.value) if on_terminal(sys.stdout) else answer.value)
        return Exit.DONE
    complain(f"{answer.type}: {answer.condition}")
    return Exit.UNMET
