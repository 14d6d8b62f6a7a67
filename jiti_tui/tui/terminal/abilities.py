"""Which sequences that save bytes the terminal has, as terminfo says."""

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
    """Return what the terminal called `term` can do: nothing where terminfo does not know it.

    curses reads terminfo once in a process: later calls get the first terminal's answers, whatever `term` is.
    """
    output = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        # curses asks the descriptor for its speed and writes nothing.
        curses.setupterm(term, output)
    except curses.error:
        return _NONE
    finally:
        os.close(output)
    return Abilities(
        # tmux has done it ever since it calls itself tmux, but its entry in terminfo does not say so.
        erases_in_colour=curses.tigetflag("bce") > 0 or term.startswith("tmux"),
        erases_cells=curses.tigetstr("ech") is not None,
        shifts=curses.tigetstr("ich") is not None and curses.tigetstr("dch") is not None,
        repeats=curses.tigetstr("rep") is not None,
    )
