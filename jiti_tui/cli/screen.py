"""`jiti-tui WORLD`: the screen."""

from __future__ import annotations

import argparse
import os
import sys

from jiti_tui.engine.options import Options
from jiti_tui.engine.phase import Mode
from jiti_tui.errors import UsageError
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Open the screen; return the exit code. Raises UsageError without a terminal."""
    world = read_world(arguments.world, arguments.store)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"The screen needs a terminal. Without one: jiti-tui run {arguments.world}")
    options = Options(
        mode=Mode(arguments.mode),
        proposer=arguments.proposer,
        transcript=arguments.transcript,
        environ=dict(os.environ),
    )
    # Textual reads this when it is imported; motion costs bytes over SSH and tells nothing.
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from jiti_tui.tui.run import run_screen  # noqa: PLC0415 - no other command must pay for Textual

    return run_screen(world, options, ascii_only=arguments.ascii)
