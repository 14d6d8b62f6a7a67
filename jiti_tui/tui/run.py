"""Runs the screen on a world: engine first, so that Lisp starts while the screen is still being imported."""

from __future__ import annotations

import locale
import os
import sys

from jiti_tui.engine.commands import Quit
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.options import Options
from jiti_tui.errors import Exit
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.world.folder import World

LONGEST_END = 10.0
"""Seconds that the engine has to end its processes after the screen has closed."""


def run_screen(world: World, options: Options, *, ascii_only: bool = False, theme: str | None = None) -> int:
    """Open the screen on `world` and return the exit code once it has closed.

    `theme` is the name of one that comes along; without it the terminal's colours decide. An error that ends the
    session is told on standard error, after the terminal is as it was. Raises UsageError when there is no such theme.
    """
    mailbox = Mailbox()
    engine = Engine(world, options, on_snapshot=mailbox.put)
    engine.start()
    # Textual takes longer to import than all else together; meanwhile the world starts in its own process.
    from jiti_tui.tui.app import JitiApp  # noqa: PLC0415
    from jiti_tui.tui.text.glyphs import ASCII, glyphs_for  # noqa: PLC0415
    from jiti_tui.tui.theme import built_in  # noqa: PLC0415

    glyphs = ASCII if ascii_only else glyphs_for(os.environ.get("TERM", ""), locale.getpreferredencoding(False))
    app = JitiApp(engine, mailbox, glyphs=glyphs, theme=built_in(theme) if theme is not None else None)
    try:
        code = app.run(mouse=False)
    finally:
        engine.send(Quit())
        ended = engine.join(LONGEST_END)
    if not ended:
        return _tell(
            Exit.WORKER, f"The session did not end within {LONGEST_END:.0f} s; its processes end with this one."
        )
    if engine.ending is not None and engine.ending.exit is not Exit.DONE:
        return _tell(engine.ending.exit, engine.ending.sentence)
    return Exit.WORKER if code is None else code


def _tell(code: Exit, sentence: str) -> Exit:
    print(f"jiti-tui: {sentence}", file=sys.stderr)
    return code
