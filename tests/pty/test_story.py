"""The demo's story by keys alone: to revision 3, and killed on the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Open = Callable[..., Any]

REVISION_1 = "(defun sales-tax (price) (* price 0.05)) (defun total-price (price) (+ price (sales-tax price)))"


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
def test_story(width: int, height: int, sales_tax: Path, terminal: Open) -> None:
    screen = terminal(width, height)
    screen.open(sales_tax)
    screen.wait("YOUR TURN", "New world", "rev 0  gen 0  review  replay", "Goals 0/2", "Request 1 of 3")

    screen.press("p")
    screen.wait("Ready: candidate for revision 1 gains 2 goals, loses 0.", "rev 0  gen 0", "a Accept")
    screen.press("a")
    screen.wait("Met: request 1 of 3, 2 of 2 goals.", "rev 1  gen 1", "Revision 1 is on disk", "Goals 2/2")

    screen.press("n")
    screen.wait("Enter goes to request 2 of 3: Support different tax rates.")
    screen.press("Enter")
    screen.wait(
        "revision 2 gains 2 goals, loses 0, 2 of other requests.",
        "rev 1  gen 2",
        "Stale: the answer was for generation 1",
    )
    screen.press("F5")
    screen.wait("stale: for 1, now 2", "accepted as 1", "ready")
    screen.press("F2")
    screen.wait("definitions  ~2 sales-tax total-price")
    screen.press("a")
    screen.wait("Met: request 2 of 3, 2 of 2 goals.", "rev 2  gen 3")

    screen.press("n")
    screen.press("Enter")
    screen.wait("Paused, level 0", "rev 2  gen 5", "UNDEFINED-FUNCTION", "a As recorded", '"food total is never below')
    screen.press("F5")
    screen.wait("restored: ", "paused at level 0")
    screen.press("Escape")
    screen.wait("(defun receipt (price)", "0 0/0  continue       Retry calling RECEIPT.", "6 0/6  abandon")
    screen.press("a")
    screen.wait("rev 2  gen 6", "a 0/0  continue       the transcript's choice")
    screen.press("a")
    steps = "steps        evaluate → UNDEFINED-FUNCTION → repair → 0/0 continue → value"
    screen.wait(
        "revision 3 gains 2 goals, loses 0, 1 of other requests.",
        "rev 2  gen 7",
        "definitions  +1 receipt  ~1 total",
        steps,
    )
    screen.press("a")
    screen.wait("Met: request 3 of 3, 2 of 2 goals.", "rev 3  gen 8", "Goals 2/2", "food total is 102.00")

    screen.press(":")
    screen.type("(total-price 100.00 :food)")
    screen.wait("(total-price 100.00 :food) => 102.0")
    screen.press("C-q")
    left = screen.wait("exit code 0")
    assert (screen.ask("alternate_on"), screen.ask("cursor_flag"), "Traceback" in left) == ("0", "1", False)


@pytest.mark.parametrize(
    ("forms", "shown", "lost"),
    [
        ("(receipt 100.00)", "Paused, level 0", "Lost: attempt 2, a pause at level 0, a proposed repair."),
        pytest.param("(loop)", "Trying attempt 2", "Lost: a proposed evaluate, attempt 2.", marks=pytest.mark.slow),
    ],
)
def test_killed_on_the_way(
    forms: str,
    shown: str,
    lost: str,
    sales_tax: Path,
    terminal: Open,
    record: Callable[..., None],
    kill_all: Callable[[int], None],
) -> None:
    record(
        {"kind": "evaluate", "forms": REVISION_1},
        {"kind": "evaluate", "forms": forms},
        {"kind": "repair", "forms": "(defun receipt (price) price)"},
    )
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("Ready: candidate for revision 1", "verified, d in full")
    screen.press("a")
    screen.wait("Met: request 1 of 3")
    screen.press("n")
    screen.press("Enter")
    screen.wait(shown)
    if "repair" in lost:
        screen.wait("a As recorded")
    kill_all(screen.pid)

    screen.open(sales_tax)
    screen.wait("YOUR TURN", "Recovered revision 1.", lost, "rev 1  gen 1  review", "p Go on")
    screen.press("F5")
    screen.wait("evaluate ✗ lost", "evaluate ✓ accepted as 1")
    screen.press(":")
    screen.type("(list (total-price 100.00) (fboundp 'receipt))")
    screen.wait("=> (105.0 NIL)", "YOUR TURN", "Recovered revision 1.")
    screen.press("F2")
    screen.press("p")
    screen.wait("Met: request 1 of 3")
    screen.press("n")
    screen.press("Enter")
    screen.wait(shown.replace("attempt 2", "attempt 1"), "gen 3" if "repair" in lost else "gen 2")
