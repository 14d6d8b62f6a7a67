"""A large data table through a session: what a revision has on disk, and what comes back of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.store.verify import verify_store

Open = Callable[..., Any]

FILL = "(dotimes (i 20000) (setf (jiti:value i) (list i (* 2 i) :some)))"
RESTING = (Phase.MET, Phase.NEW, Phase.HELD)


def accept(operator: Any, forms: str) -> Any:
    """Have `forms` accepted; the picture afterwards."""
    before = operator.wait_for(*RESTING)
    operator.send(commands.Evaluate(before.painted, forms))
    ready = operator.wait(lambda s: s.phase is Phase.READY or (s.phase in RESTING and s.attempt > before.attempt))
    assert ready.phase is Phase.READY, ready
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == before.revision + 1 and s.phase in RESTING)
    return ready


def blocks(store: Path, revision: int) -> dict[str, int]:
    """The blocks of a revision by name, with the number of each file's inode."""
    return {path.name: path.stat().st_ino for path in (store / f"revision-{revision}" / "data").iterdir()}


def look(operator: Any, expression: str) -> str:
    operator.send(commands.Look(expression))
    text: str = operator.wait(lambda s: s.looked is not None and s.looked.expression == expression).looked.text
    return text


def test_a_changed_key_is_one_new_file(plain_world: Path, open_session: Open) -> None:
    store = plain_world / "store"
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    ready = accept(operator, "(setf (jiti:value 5) :changed)")
    change = next(change for change in ready.outcome.data if change.name == "(value 5)")
    assert (change.before, change.after) == ("(value 5) (5 10 :some)", "(value 5) :changed")
    assert len(ready.outcome.data) == 1
    first, second = blocks(store, 1), blocks(store, 2)
    assert len(first) > 3
    assert len(second.items() - first.items()) == 1
    accept(operator, "(defun f () 1)")
    assert blocks(store, 3) == second
    operator.quit()
    assert verify_store(store) == []


def test_a_large_table_comes_back(plain_world: Path, open_session: Open) -> None:
    store = plain_world / "store"
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    accept(operator, "(setf (jiti:value 5) :changed)")
    operator.quit()
    again = open_session(plain_world, mode=Mode.REVIEW)
    again.wait_for(*RESTING)
    assert look(again, "(list (jiti:value 5) (jiti:value 19999))") == "(:CHANGED (19999 39998 :SOME))"
    accept(again, "(setf (jiti:value 6) :changed)")
    assert len(blocks(store, 3).items() - blocks(store, 2).items()) == 1


def test_going_back_links_the_blocks_of_the_earlier_revision(plain_world: Path, open_session: Open) -> None:
    store = plain_world / "store"
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    accept(operator, "(setf (jiti:value 5) :changed)")
    idle = operator.wait_for(*RESTING)
    operator.send(commands.GoBack(idle.painted, 1))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 3 and s.phase in RESTING)
    assert blocks(store, 3) == blocks(store, 1)
    accept(operator, "(setf (jiti:value 6) :changed)")
    assert len(blocks(store, 4).items() - blocks(store, 3).items()) == 1
    operator.quit()
    assert verify_store(store) == []


def test_an_attempt_that_only_reads_is_no_change(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    idle = operator.wait_for(*RESTING)
    operator.send(commands.Evaluate(idle.painted, "(dotimes (i 20000) (jiti:value i))"))
    operator.wait(lambda s: s.attempt == idle.attempt + 1 and s.phase in RESTING)
    assert operator.snapshot.revision == 1


def test_a_damaged_block_is_found(plain_world: Path, open_session: Open) -> None:
    store = plain_world / "store"
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    operator.quit()
    block = next((store / "revision-1" / "data").iterdir())
    content = block.read_bytes()
    block.write_bytes(content.replace(b":some", b":sone", 1))
    assert [finding.file for finding in verify_store(store)] == [f"revision-1/data/{block.name}"]


def test_what_goes_back_is_checked_as_it_was(plain_world: Path, open_session: Open) -> None:
    (plain_world / "goals.lisp").write_text('(goal "as it was" (equal (jiti:value 5) \'(5 10 :some)))')
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL)
    accept(operator, "(setf (jiti:value 5) :changed)")
    idle = operator.wait_for(*RESTING)
    operator.send(commands.GoBack(idle.painted, 1))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 3 and s.phase in RESTING)


def test_definitions_and_data_change_in_turn(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world, mode=Mode.REVIEW)
    accept(operator, FILL + "(defun f () 1)")
    for number in range(2, 5):
        accept(operator, f"(defun f () {number})")
        accept(operator, f"(setf (jiti:value 5) (list {number}) (jiti:value :new) (list 'f {number}))")
    accept(operator, "(setf (jiti:value 6) nil) (defun g () (list (f) (jiti:value 5) (jiti:value 6)))")
    operator.quit()
    again = open_session(plain_world, mode=Mode.REVIEW)
    again.wait_for(*RESTING)
    assert look(again, "(list (g) (jiti:value :new) (jiti:value 7))") == "((4 (4) NIL) (F 4) (7 14 :SOME))"
    accept(again, "(defun f () 5)")
