"""Terminals of several kinds: few colours, none, no Unicode, one that is none, and one without standard error."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]

COLOUR = re.compile(r"\x1b\[[\d;]*[34]8;")
"""A colour beyond the sixteen."""

ANY_COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:[349][0-7]|10[0-7])(?:;[\d;]*)?m")


def test_no_color(sales_tax: Path, terminal: Open) -> None:
    screen = terminal(NO_COLOR="1")
    screen.open(sales_tax)
    screen.wait("YOUR TURN", "◆ New world")
    assert not COLOUR.search(screen.colours())
    assert not ANY_COLOUR.search(screen.colours())


def test_sixteen_colours(sales_tax: Path, terminal: Open) -> None:
    screen = terminal(term="screen")
    screen.open(sales_tax)
    screen.wait("YOUR TURN", "◆ New world")
    assert not COLOUR.search(screen.colours())
    assert ANY_COLOUR.search(screen.colours())


@pytest.mark.parametrize(("term", "options"), [("linux", ()), ("tmux-256color", ("--ascii",))])
def test_ascii(term: str, options: tuple[str, ...], sales_tax: Path, terminal: Open) -> None:
    screen = terminal(term=term)
    screen.open(sales_tax, *options)
    assert screen.wait("YOUR TURN", "* New world").isascii()
    screen.press("p")
    assert screen.wait("Ready: candidate for revision 1", "^ gained", "now -> after").isascii()


def test_dumb_terminal(sales_tax: Path, terminal: Open) -> None:
    screen = terminal(term="dumb")
    screen.open(sales_tax)
    screen.wait("jiti-tui: The terminal calls itself dumb", "exit code 2")


@pytest.mark.parametrize("redirected", ["2>/dev/null", "2>&-"])
def test_standard_error_goes_elsewhere(redirected: str, sales_tax: Path, terminal: Open) -> None:
    screen = terminal()
    screen.open(sales_tax, redirected=redirected)
    screen.wait("YOUR TURN", "New world")
    screen.press("C-q")
    screen.wait("exit code 0")
    assert (screen.ask("alternate_on"), screen.ask("cursor_flag")) == ("0", "1")
