"""`run --accept ask`, at a terminal."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

PROMPT = r"Accept this outcome\? \[y/n\] "
SECONDS = 60

Ask = Callable[..., Any]


@pytest.fixture
def ask(environment: dict[str, str]) -> Iterator[Ask]:
    """`ask(world, ...)` runs `run --accept ask` on a terminal of its own."""
    children: list[Any] = []

    def start(world: Path, *options: str) -> Any:
        arguments = ["-m", "jiti_tui", "run", str(world), "--accept", "ask", *options]
        children.append(pexpect.spawn(sys.executable, arguments, env=environment, timeout=SECONDS, encoding="utf-8"))
        return children[-1]

    yield start
    for child in children:
        child.close(force=True)


def exit_code(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus)


def test_each_outcome_is_asked_for(sales_tax: Path, ask: Ask) -> None:
    child = ask(sales_tax)
    for _ in range(3):
        child.expect(PROMPT)
        child.sendline("perhaps")
        child.expect(PROMPT)
        child.sendline("y")
        child.expect("accepted: revision")
    assert exit_code(child) == 0


def test_end_of_input_is_a_no(sales_tax: Path, ask: Ask) -> None:
    child = ask(sales_tax, "--max-attempts", "1")
    child.expect(PROMPT)
    child.sendeof()
    child.expect("restored: rejected")
    assert exit_code(child) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_asks(number: signal.Signals, sales_tax: Path, ask: Ask) -> None:
    child = ask(sales_tax)
    child.expect(PROMPT)
    child.kill(number)
    assert exit_code(child) == 130
    log = (sales_tax / "store/events.sexp").read_text()
    assert '"attempt"' in log
    assert '"closed"' not in log  # what was asked about is lost, and the next session says so


def test_a_choice_in_a_pause_that_is_invalid_gives_way_to_the_next(sales_tax: Path, ask: Ask) -> None:
    actions = [
        {"kind": "evaluate", "forms": '(setf (jiti:value :q) (error "which?"))'},
        {"kind": "repair", "forms": "(defun"},
        {"kind": "repair", "forms": "(defun)("},
        {"kind": "abandon"},
    ]
    lines = [json.dumps({"action": {"generation": None, **action}}) for action in actions]
    (sales_tax / "transcript.jsonl").write_text("\n".join(lines) + "\n")
    child = ask(sales_tax)
    assert exit_code(child) == 1
    assert child.before.count("invalid") == 2
    assert "abandoned" in child.before


def test_checks_that_change_while_it_asks_make_it_ask_again(sales_tax: Path, ask: Ask) -> None:
    child = ask(sales_tax)
    child.expect(PROMPT)
    goals = sales_tax / "goals.lisp"
    goals.write_text(goals.read_text() + '\n(goal "another" t)\n')
    child.expect("Ready: candidate for revision 1")
    child.expect(PROMPT)
    child.sendline("yes")
    child.expect("accepted: revision 1")


def test_that_a_request_without_goals_is_done_is_asked_for(sales_tax: Path, ask: Ask) -> None:
    finish = json.dumps({"action": {"kind": "finish", "generation": None}})
    (sales_tax / "transcript.jsonl").write_text(f"{finish}\n{finish}\n")
    child = ask(sales_tax, "--request", "Greet.", "--json")
    done = r"No goal says whether the request is done\. Is it\? \[y/n\] "
    child.expect(done)
    child.sendline("n")
    child.expect(done)
    child.sendline("y")
    child.expect('"goals-met"')
    assert exit_code(child) == 0
