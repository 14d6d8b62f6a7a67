"""What the terminal can do to save bytes, as terminfo has it."""

from __future__ import annotations

import curses
import os

from jiti_tui.frozen import frozen


@frozen
class Abilities:
    """Each is off unless terminfo says that the terminal has it."""

    erases_in_colour: bool = False
    """Cells that are erased take the background that is set (bce)."""
    erases_cells: bool = False
    """A number of cells can be erased without moving (ech)."""
    shifts: bool = False
    """The rest of a row can be moved to the right and to the left (ich, dch)."""
    repeats: bool = False
    """The character before can be written again a number of times (rep)."""


_NONE = Abilities()


def abilities_of(term: str) -> Abilities:
    """Return what terminfo says of the terminal called `term`: nothing where it does not know it.

    It can be asked once in a process: later calls say the same, whatever the terminal.
    """
    output = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        # The descriptor is only looked at for its speed.
        curses.setupterm(term, output)
    except curses.error:
        return _NONE
    finally:
        os.close(output)
    return Abilities(
        # Terminfo does not say so of tmux, whose every version that calls itself tmux does it.
        erases_in_colour=curses.tigetflag("bce") > 0 or term.startswith("tmux"),
        erases_cells=curses.tigetstr("ech") is not None,
        shifts=curses.tigetstr("ich") is not None and curses.tigetstr("dch") is not None,
        repeats=curses.tigetstr("rep") is not None,
    )
