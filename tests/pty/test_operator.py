"""What an operator does besides following: repairs by hand, values for restarts, requests, going back, new goals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Open = Callable[..., Any]
Record = Callable[..., None]

REVISION_1 = "(defun sales-tax (price) (* price 0.05)) (defun total-price (price) (+ price (sales-tax price)))"


def test_pause_is_left_by_hand(sales_tax: Path, terminal: Open, record: Record) -> None:
    asks = '(restart-case (error "no number") (use-number (n) :report "Use a number." n))'
    record({"kind": "evaluate", "forms": f"(setf (jiti:value :number) {asks})"})
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("Paused, level 0: no number", "0 0/0  use-number     Use a number.", "1 value: w tries it", "gen 1")

    screen.press("!")
    screen.wait("Repair, inside the pause:")
    screen.paste("; a comment ends with its line\n(car 1)\n")
    screen.wait("; a comment ends with its line", "Enter Send")
    screen.press("Enter")
    screen.wait("Paused, level 1", "TYPE-ERROR", "in repair 1", "Restarts of level 1", "0 1/0  use-value", "gen 2")
    screen.press("0")
    screen.wait("1/0 use-value takes 1 value:")
    screen.type("(1")
    screen.wait("takes 1 value:\n  (1\n")
    screen.press("Enter")
    screen.wait("Invalid: line 1, column 0: An argument is one Lisp datum", "Paused, level 1", "gen 2")
    screen.press("0")
    screen.type("7")
    screen.wait("Paused, level 0: no number", "gen 4")

    screen.press("0")
    screen.wait("0/0 use-number takes 1 value:")
    screen.type("41")
    screen.wait("Ready: candidate for revision 1", "data         +1", "0/0 use-number", "gen 5")
    screen.press("a")
    screen.wait("rev 1  gen 6")
    screen.press(":")
    screen.type("(1+ (jiti:value :number))")
    screen.wait("(1+ (jiti:value :number)) => 42")


def test_endless_loop_is_stopped(sales_tax: Path, terminal: Open, record: Record) -> None:
    record({"kind": "evaluate", "forms": "(loop)"}, {"kind": "resume", "restart": "use-value", "arguments": ["1"]})
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("WORKING", "Trying attempt 1", "Esc Stop")
    screen.press("Escape")
    screen.wait("Paused, level 0", "TIME-LIMIT", "the transcript is held: p asks it", "p Go on")
    screen.press("p")
    screen.wait("a 0/1  use-value      the transcript's choice, with", "a As recorded")
    screen.press("a")
    screen.wait("evaluate     restored: no change", "rev 0  gen 2")


def test_abandoned_attempt_leaves_no_trace(sales_tax: Path, terminal: Open, record: Record) -> None:
    record({"kind": "evaluate", "forms": "(defun left-over () 1) (receipt 1)"})
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("Paused, level 0")
    screen.press("r")
    screen.wait("Abandon attempt 1? Reason (may be empty):")
    screen.type("not wanted")
    screen.wait("Restored: abandoned: not wanted. Revision 0 is live.", "rev 0  gen 2")
    screen.press(":")
    screen.type("(fboundp 'left-over)")
    screen.wait("(fboundp 'left-over) => NIL")


def test_typed_request_is_worked_on(sales_tax: Path, terminal: Open, record: Record) -> None:
    record({"kind": "evaluate", "forms": '(setf (jiti:value :greeting) "hello")'}, {"kind": "finish"})
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("i")
    screen.wait("Request:", "Enter Send")
    screen.type("Greet the customer.")
    screen.wait("Ready: candidate for revision 1", "Request 1 of 4 Greet the customer.")
    screen.press("a")
    screen.wait("Asks: may the transcript finish?", "a Finish", "rev 1")
    screen.press("a")
    screen.wait("Met: request 1 of 4", "Next: request 2")


def test_going_back(sales_tax: Path, terminal: Open, record: Record) -> None:
    record({"kind": "evaluate", "forms": REVISION_1})
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("Ready: candidate for revision 1")
    screen.press("a")
    screen.wait("Met: request 1 of 3")
    screen.press("u")
    screen.wait("▸ 1 +sales-tax +total-price", "0 base")
    screen.press("Down")
    screen.press("u")
    screen.wait("Enter goes back to revision 0, as a new revision.")
    screen.press("Enter")
    screen.wait("Ready: candidate for revision 2 gains 0 goals, loses 2.")
    screen.press("F2")
    screen.wait("definitions  -2 sales-tax total-price")
    screen.press("a")
    screen.wait("rev 2  gen 2", "Goals 0/2")
    screen.press(":")
    screen.type("(fboundp 'sales-tax)")
    screen.wait("(fboundp 'sales-tax) => NIL")


def test_saved_goals_are_read_while_an_outcome_waits(sales_tax: Path, terminal: Open, record: Record) -> None:
    record({"kind": "evaluate", "forms": REVISION_1})
    goals = sales_tax / "goals.lisp"
    good = goals.read_text()
    screen = terminal()
    screen.open(sales_tax)
    screen.wait("New world")
    screen.press("p")
    screen.wait("Ready: candidate for revision 1 gains 2 goals", "gen 0")
    goals.write_text(good + '\n(goal "200.00 costs 210.00" (= (total-price 200.00) 210.00))\n')
    screen.wait("Reloaded goals.lisp.", "rev 0  gen 1", "Ready: candidate for revision 1 gains 2 goals")
    screen.press("F3")
    screen.wait("200.00 costs 210.00")
    goals.write_text(good + "\n(goal")
    screen.wait("goals.lisp line 27: ", "200.00 costs 210.00", "gen 1")
    screen.press("F2")
    screen.press("a")
    screen.wait("Met: request 1 of 3", "rev 1  gen 2")
