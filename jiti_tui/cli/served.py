"""The screen of one browser: what `serve` runs for each, with the options of `open`. Pipes are its terminal.

Where another session holds the store, it looks on.
"""

from __future__ import annotations

import os
import sys

from jiti_tui.cli.parser import OPEN, Commands
from jiti_tui.cli.screen import show

DRIVER = "jiti_tui.tui.browser_driver:BrowserDriver"

_NOT_OURS = ("TMUX", "STY", "LC_ALL", "COLORTERM")
"""What tells of the terminal in which the server was started."""


def main() -> int:
    """Show the screen; return the exit code."""
    for name in _NOT_OURS:
        os.environ.pop(name, None)
    # xterm.js is an xterm with all colours. Textual reads the driver when it is imported.
    os.environ |= {"TEXTUAL_DRIVER": DRIVER, "TEXTUAL_COLOR_SYSTEM": "truecolor", "TERM": "xterm-256color"}
    return show(Commands().parser.parse_args([OPEN, *sys.argv[1:]]), looks_on=True)


if __name__ == "__main__":
    sys.exit(main())
