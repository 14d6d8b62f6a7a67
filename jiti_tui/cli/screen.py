"""`jiti-tui WORLD`: the screen."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from jiti_tui.cli.streams import on_terminal
from jiti_tui.errors import UsageError

if TYPE_CHECKING:
    from jiti_tui.engine.engine import Engine
    from jiti_tui.engine.interface.snapshot import Snapshot

# No import here but what the first paint needs: the engine, the world folder and what they stand on come after it.


def main(arguments: argparse.Namespace) -> int:
    """Open the screen; return the exit code. Raises UsageError without a terminal, WorldFolderError without a world."""
    at_terminal = on_terminal(sys.stdin, sys.stdout)
    # Path.is_file raises where the folder must not be looked into.
    if not (at_terminal and os.path.isfile(arguments.world / "world.toml")):  # noqa: PTH113 - as above
        _refuse_bad_world(arguments.world)
    if not at_terminal:
        raise UsageError(f"The screen needs a terminal. Without one: jiti-tui run {arguments.world}")
    if os.environ.get("TERM", "dumb") == "dumb":
        raise UsageError("The terminal calls itself dumb: set TERM to what it is, or use jiti-tui run.")
    return show(arguments)


def show(arguments: argparse.Namespace, *, looks_on: bool = False) -> int:
    """Show the screen where there is one; return the exit code. `looks_on` as `Options` has it."""
    # Until the first paint hardly anything is thrown away; looking for it takes a tenth of that time.
    gc.disable()
    # Textual reads this when it is imported; motion costs bytes over SSH and tells nothing.
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from jiti_tui.tui.run import run_screen  # noqa: PLC0415

    code = run_screen(
        arguments.world,
        lambda on_snapshot: _open(arguments, on_snapshot, looks_on),
        ascii_only=arguments.ascii,
        mouse=arguments.mouse,
    )
    # Nothing here needs the collector any more; going through all that Textual has made takes it a third of a second.
    gc.freeze()
    return code


def _refuse_bad_world(path: Path) -> None:
    from jiti_tui.world.folder import read_world  # noqa: PLC0415

    read_world(path)


def _open(arguments: argparse.Namespace, on_snapshot: Callable[[Snapshot], None], looks_on: bool) -> Engine:
    """Read the world folder and start the engine on it."""
    gc.freeze()
    gc.enable()
    from jiti_tui.kernel.machine import look_ahead  # noqa: PLC0415 - the first paint must not wait for it

    look_ahead()  # beside the imports that follow
    from jiti_tui.cli.asking_options import asking_options  # noqa: PLC0415
    from jiti_tui.engine.engine import Engine  # noqa: PLC0415
    from jiti_tui.engine.interface.options import Options  # noqa: PLC0415 - nor for this
    from jiti_tui.engine.interface.phase import Mode  # noqa: PLC0415
    from jiti_tui.world.folder import read_world  # noqa: PLC0415

    world = read_world(arguments.world, arguments.store)
    asking = asking_options(arguments, world, headless=False)
    options = Options(mode=Mode(arguments.mode), looks_on=looks_on, **asking)
    engine = Engine(world, options, on_snapshot=on_snapshot)
    engine.start()
    return engine
