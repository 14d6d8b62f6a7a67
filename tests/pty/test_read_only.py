"""A second terminal on the same world: it is told who holds the store, and can look on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Open = Callable[..., Any]


def test_a_second_terminal_looks_on_and_changes_nothing(sales_tax: Path, terminal: Open) -> None:
    holder, other = terminal(), terminal()
    holder.open(sales_tax)
    holder.wait("YOUR TURN", "rev 0  gen 0")
    other.open(sales_tax)
    other.wait("process number", "exit code 3")
    other.open(sales_tax, "--read-only")
    other.wait("rev 0  gen 0  read-only", "Goals 0/2")

    holder.press("p")
    holder.wait("Ready: candidate for revision 1 gains 2 goals, loses 0.")
    holder.press("a")
    holder.wait("rev 1  gen 1", "Goals 2/2")
    other.wait("rev 1  gen 1  read-only", "Goals 2/2")
    log = (sales_tax / "store" / "events.sexp").read_bytes()

    for key in ("p", "i", "a"):
        other.press(key)
    other.press(":")
    other.type("(total-price 100.0)")
    other.wait("105.0")
    other.press("C-q")
    other.wait("exit code 0")
    assert (sales_tax / "store" / "events.sexp").read_bytes() == log


def test_a_store_that_is_not_there_cannot_be_looked_at(sales_tax: Path, terminal: Open) -> None:
    screen = terminal()
    screen.open(sales_tax, "--read-only")
    screen.wait("has no revision yet", "exit code 3")
    assert not (sales_tax / "store").exists()
