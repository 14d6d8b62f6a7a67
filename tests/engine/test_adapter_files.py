"""Files of a world through a session: accepted, restored, gone back to, recovered, and what the user's folder sees."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.errors import Exit

Open = Callable[..., Any]

DEMO = Path(__file__).parents[2] / "demo_worlds" / "price_list"
INITIAL = "coffee,4.00\ntea,3.20\ncake,5.50\n"
RAISED = INITIAL.replace("3.20", "3.50")
PAGE = "list/pages/index.html"
IDLE = (Phase.MET, Phase.NEW, Phase.HELD, Phase.RECOVERED)


@pytest.fixture
def price_list(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(DEMO, tmp_path / "price_list", ignore=shutil.ignore_patterns("store")))


def kept(world: Path, revision: int) -> dict[str, str]:
    """The files of a revision on disk."""
    folder = world / f"store/revision-{revision}/files"
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def look(operator: Any, expression: str) -> str:
    number = operator.snapshot.looked.number if operator.snapshot.looked else 0
    operator.send(commands.Look(expression))
    looked = operator.wait(lambda s: s.looked is not None and s.looked.number > number).looked
    return str(looked.text)


def accept(operator: Any, forms: str) -> None:
    """Evaluate `forms` as the operator, and accept what comes of it."""
    operator.send(commands.Evaluate(operator.snapshot.painted, forms))
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == ready.revision + 1 and s.phase in IDLE)


def test_the_story_of_the_demo_on_disk(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list, mode=Mode.AUTO)
    operator.send(commands.Go())
    operator.wait(lambda s: s.revision == 3 and s.phase is Phase.MET)
    assert kept(price_list, 0) == kept(price_list, 1) == {"list/prices.csv": INITIAL}
    assert kept(price_list, 2) == {"list/prices.csv": RAISED}
    assert kept(price_list, 3).keys() == {"list/prices.csv", PAGE}
    assert [event.fields["reason"][:9] for event in operator.events if event.name == "restored"] == ["invariant"]
    inodes = {(price_list / f"store/revision-{number}/files/list/prices.csv").stat().st_ino for number in (0, 1)}
    assert len(inodes) == 1
    assert (price_list / "list/prices.csv").read_text() == INITIAL


def test_what_is_ready_shows_the_files_that_would_change(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    operator.wait_for(*IDLE)
    forms = '(setf (lines "prices.csv") (list "tea,9.99")) (setf (lines "note.txt") (list "n"))'
    operator.send(commands.Evaluate(operator.snapshot.painted, forms))
    ready = operator.wait_for(Phase.READY)
    changes = [(str(change.sign), change.kind, change.name, change.after) for change in ready.outcome.data]
    assert changes == [
        ("+", "file", "list/note.txt", "n\n"),
        ("~", "file", "list/prices.csv", "tea,9.99\n"),
    ]
    operator.send(commands.Reject(ready.painted))
    operator.wait_for(*IDLE)
    assert look(operator, '(lines "prices.csv")') == '("coffee,4.00" "tea,3.20" "cake,5.50")'
    assert not (price_list / "store/revision-1").exists()


def test_going_back_brings_the_files_back(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    operator.wait_for(*IDLE)
    accept(operator, '(setf (lines "prices.csv") (list "tea,1.00")) (setf (lines "note.txt") (list "n"))')
    operator.send(commands.GoBack(operator.snapshot.painted, 0))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 2 and s.phase in IDLE)
    assert look(operator, '(lines "prices.csv")') == '("coffee,4.00" "tea,3.20" "cake,5.50")'
    assert kept(price_list, 2) == {"list/prices.csv": INITIAL}
    accept(operator, '(setf (lines "prices.csv") (list "tea,2.00"))')
    assert kept(price_list, 3) == {"list/prices.csv": "tea,2.00\n"}


def test_files_come_back_where_the_worlds_process_dies(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    operator.wait_for(*IDLE)
    accept(operator, '(setf (lines "prices.csv") (list "tea,1.00"))')
    operator.engine._session.workers.world.kill()
    operator.wait(lambda s: s.notice is not None and "is back in a fresh one" in s.notice.text)
    assert look(operator, '(lines "prices.csv")') == '("tea,1.00")'
    accept(operator, '(setf (lines "note.txt") (list "n"))')
    assert kept(price_list, 2) == {"list/prices.csv": "tea,1.00\n", "list/note.txt": "n\n"}


def test_the_folder_gives_the_files_of_a_new_world_alone(price_list: Path, open_session: Open) -> None:
    first = open_session(price_list)
    first.wait_for(*IDLE)
    first.quit()
    (price_list / "list/prices.csv").write_text("milk,1.00\n")
    second = open_session(price_list)
    second.wait_for(*IDLE)
    assert look(second, '(lines "prices.csv")') == '("coffee,4.00" "tea,3.20" "cake,5.50")'


def test_what_cannot_be_kept_is_told_by_name(price_list: Path, open_session: Open) -> None:
    base = price_list / "base.lisp"
    base.write_text(
        base.read_text()
        + """
(defun make-link ()
  (sb-alien:alien-funcall (sb-alien:extern-alien "symlink" (function sb-alien:int sb-alien:c-string
                                                                     sb-alien:c-string))
                          "/etc/passwd" "/proc/self/cwd/list/passwd"))
"""
    )
    operator = open_session(price_list)
    operator.wait_for(*IDLE)
    operator.send(commands.Evaluate(operator.snapshot.painted, "(make-link)"))
    restored = operator.wait(lambda s: s.notice is not None and s.notice.text.startswith("Restored"))
    assert "list/passwd is neither a regular file nor a folder" in restored.notice.text
    operator.wait_for(*IDLE)
    accept(operator, '(setf (lines "note.txt") (list "n"))')
    assert kept(price_list, 1).keys() == {"list/prices.csv", "list/note.txt"}


@pytest.mark.parametrize(
    ("break_it", "sentence"),
    [
        (
            lambda world: (world / "list/link").symlink_to("/etc/passwd"),
            "list/link is a link or no regular file: a world begins with regular files only.",
        ),
        (
            lambda world: (world / "list/large").write_bytes(bytes(2 * 1024 * 1024)),
            "list/large makes the files larger than 1 MB together: use smaller ones, or raise `files_mb` in [limits].",
        ),
        (
            lambda world: (world / "list/odd\x1bname").write_text("x"),
            "list/odd\\x1bname cannot be a file of the world: 'list/odd\\x1bname' holds a control character",
        ),
        (
            lambda world: (world / "base.lisp").write_text("(in-package #:price-list)"),
            'The world has no directory adapter named "list".',
        ),
    ],
)
def test_a_world_whose_first_files_cannot_be_taken_does_not_open(
    price_list: Path, open_session: Open, break_it: Callable[[Path], None], sentence: str
) -> None:
    with (price_list / "world.toml").open("a") as toml:
        toml.write("\n[limits]\nfiles_mb = 1\n")
    break_it(price_list)
    operator = open_session(price_list)
    closed = operator.wait_for(Phase.CLOSED)
    assert sentence in closed.reason
    assert operator.engine.join(30)
    assert operator.engine.ending.exit is Exit.USAGE


def test_an_adapter_that_fails_is_told_and_the_session_goes_on(price_list: Path, open_session: Open) -> None:
    base = price_list / "base.lisp"
    base.write_text(
        base.read_text()
        + """
(defclass touchy (jiti:adapter) () (:default-initargs :name "touchy"))
(defmethod jiti:checkpoint ((adapter touchy))
  (when (member "broken" (lines "prices.csv") :test #'string=)
    (error "not now")))
(make-instance 'touchy)
"""
    )
    operator = open_session(price_list)
    operator.wait_for(*IDLE)
    (price_list / "invariants.lisp").write_text("")
    accept(operator, '(setf (lines "prices.csv") (list "broken"))')
    operator.send(commands.Evaluate(operator.snapshot.painted, "(defvar *x* 1)"))
    told = operator.wait(lambda s: s.notice is not None and "touchy failed in checkpoint" in s.notice.text)
    assert "SIMPLE-ERROR: not now" in told.notice.text
    assert look(operator, '(lines "prices.csv")') == '("broken")'


def test_a_world_that_an_attempt_has_reached_into_is_replaced(price_list: Path, open_session: Open) -> None:
    """Beside the policy, code that knows where another process has its copy can write there."""
    base = price_list / "base.lisp"
    base.write_text(
        base.read_text()
        + """
(defun reach-out ()
  (dolist (copy (directory "/files/*/" :resolve-symlinks nil))
    (with-open-file (out (merge-pathnames "list/prices.csv" copy) :direction :output :if-exists :append)
      (write-line "milk,1.00" out))))
"""
    )
    operator = open_session(price_list)
    if not operator.wait_for(*IDLE).sandboxed:
        pytest.skip("The copies are elsewhere without a sandbox.")
    operator.send(commands.Evaluate(operator.snapshot.painted, "(reach-out)"))
    operator.send(commands.Reject(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.notice is not None and "is back in a fresh one" in s.notice.text)
    assert look(operator, '(lines "prices.csv")') == '("coffee,4.00" "tea,3.20" "cake,5.50")'
    errors = [event.fields for event in operator.events if event.name == "error"]
    assert [error["family"] for error in errors] == ["world"]
    assert "The adapter list failed in restore: During the attempt, files of the world" in errors[0]["reason"]
