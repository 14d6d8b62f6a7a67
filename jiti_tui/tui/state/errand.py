"""What a key asks of the terminal or of the machine, rather than of the session."""

from __future__ import annotations

from jiti_tui.frozen import frozen


@frozen
class OpenFile:
    """Open a file of the world folder in the operator's editor; `line` counts from 1, 0 is its beginning."""

    file: str
    line: int = 0


@frozen
class CopyText:
    """Copy `text`; `what` says in a few words what it is."""

    what: str
    text: str


@frozen
class UseTheme:
    """Show the screen in another theme from now on."""

    name: str


@frozen
class Repaint:
    """Paint everything again: something else has written on the terminal."""


@frozen
class Suspend:
    """Give the terminal back to the shell until it says `fg`."""


Errand = OpenFile | CopyText | UseTheme | Repaint | Suspend
