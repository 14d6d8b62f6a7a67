"""`jiti-tui check`: all that is wrong with a world folder."""

from __future__ import annotations

import argparse
import asyncio
import shlex

from jiti_tui.cli.plain import plain
from jiti_tui.cli.streams import say
from jiti_tui.engine.queries.examine import examine_world
from jiti_tui.errors import Exit
from jiti_tui.world.folder import read_world
from jiti_tui.world.problems import folder_problems


def main(arguments: argparse.Namespace) -> int:
    """Print a line for each problem. Returns USAGE when there is one. Raises WorkerError where SBCL is missing."""
    problems = folder_problems(arguments.world)
    if not problems:
        problems = asyncio.run(examine_world(read_world(arguments.world, arguments.store)))
    for problem in problems:
        say(plain(problem))
    if problems:
        return Exit.USAGE
    say(f"Nothing is wrong. jiti-tui {shlex.quote(str(arguments.world))} opens it.")
    return Exit.DONE
