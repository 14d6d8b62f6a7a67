"""Runs the screen: it paints first, then the engine starts."""

from __future__ import annotations

import locale
import os
import sys
from pathlib import Path

from jiti_tui.engine.interface.commands import Quit
from jiti_tui.errors import Exit
from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.defect import told_defect
from jiti_tui.tui.late_engine import LateEngine, Opener
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.tui.past import Past
from jiti_tui.tui.settings import read_screen_settings
from jiti_tui.tui.text.glyphs import ASCII, glyphs_for
from jiti_tui.tui.text.literal import literal

LONGEST_END = 10.0
"""Seconds that the engine has to end its processes after the screen has closed."""


def run_screen(folder: Path, opener: Opener, *, ascii_only: bool = False, mouse: bool = True) -> int:
    """Open the screen on the world in `folder` and return the exit code once it has closed.

    `opener` is called in a thread of its own, after the first paint. An error that ends the session is told on standard
    error, after the terminal is as it was.
    """
    mailbox = Mailbox()
    engine = LateEngine(folder.resolve().name, opener, mailbox)
    settings = read_screen_settings(os.environ)
    ascii_only = ascii_only or settings.ascii_only
    glyphs = ASCII if ascii_only else glyphs_for(os.environ.get("TERM", ""), locale.getpreferredencoding(False))
    app = JitiApp(engine, mailbox, glyphs=glyphs, folder=folder, settings=settings, past=Past(os.environ))
    app.call_once_painted(engine.begin)
    try:
        code = app.run(mouse=mouse and settings.mouse)
    finally:
        engine.send(Quit())
        ended = engine.join(LONGEST_END)
    if app.defect is not None:
        return _tell(Exit.WORKER, told_defect(app.defect, os.environ))
    if not ended:
        return _tell(
            Exit.WORKER, f"The session did not end within {LONGEST_END:.0f} s; its processes end with this one."
        )
    ending = engine.ending
    if ending is not None and ending.exit is not Exit.DONE:
        return _tell(ending.exit, ending.sentence)
    return Exit.WORKER if code is None else code


def _tell(code: Exit, sentence: str) -> Exit:
    print(f"jiti-tui: {literal(sentence)}", file=sys.stderr)
    return code
