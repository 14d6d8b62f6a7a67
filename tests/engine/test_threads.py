"""A world with a thread: it runs in the idle accepted world, and what it did is part of the next revision."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]

DEMO = Path(__file__).parents[2] / "demo_worlds" / "job_queue"
GREET = '(defmethod perform ((kind (eql :greet)) name) (format nil "Hello, ~A." name))'
IDLE = (Phase.MET, Phase.NEW, Phase.HELD, Phase.RECOVERED)


@pytest.fixture
def job_queue(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(DEMO, tmp_path / "job_queue", ignore=shutil.ignore_patterns("store")))


def look(operator: Any, expression: str) -> str:
    number = operator.snapshot.looked.number if operator.snapshot.looked else 0
    operator.send(commands.Look(expression))
    looked = operator.wait(lambda s: s.looked is not None and s.looked.number > number).looked
    return str(looked.text)


def look_until(operator: Any, expression: str, value: str) -> None:
    """Look again and again until the expression has that value."""
    end = time.monotonic() + 30
    while (seen := look(operator, expression)) != value:
        assert time.monotonic() < end, seen


def ready(operator: Any, forms: str) -> Any:
    operator.send(commands.Evaluate(operator.snapshot.painted, forms))
    return operator.wait_for(Phase.READY)


def accept(operator: Any, forms: str) -> None:
    revision = operator.snapshot.revision
    operator.send(commands.Accept(ready(operator, forms).painted))
    operator.wait(lambda s: s.revision == revision + 1 and s.phase in IDLE)


def test_jobs_are_done_by_the_thread_of_the_accepted_world(job_queue: Path, open_session: Open) -> None:
    operator = open_session(job_queue)
    operator.wait_for(*IDLE)
    accept(operator, GREET)
    outcome = ready(operator, '(enqueue :greet "Bo")')
    assert look(operator, "(list (length *waiting*) (length *done*))") == "(1 0)"
    assert look(operator, "(list (length *waiting*) (length *done*))") == "(1 0)"
    operator.send(commands.Accept(outcome.painted))
    operator.wait(lambda s: s.revision == 2 and s.phase in IDLE)
    look_until(operator, '(result :greet "Bo")', '"Hello, Bo."')
    assert "*done* nil" in (job_queue / "store/revision-2/data.sexp").read_text()
    accept(operator, '(defvar *more* "x")')
    assert '*done* ((:greet "Bo"' in (job_queue / "store/revision-3/data.sexp").read_text()


def test_the_world_does_no_job_while_an_attempt_is_under_way(job_queue: Path, open_session: Open) -> None:
    operator = open_session(job_queue)
    operator.wait_for(*IDLE)
    accept(operator, GREET)
    accept(operator, '(enqueue :greet "Bo")')
    look_until(operator, "(length *done*)", "1")
    outcome = ready(operator, '(setf *done* nil) (enqueue :greet "Cy")')
    operator.send(commands.Reject(outcome.painted))
    operator.wait_for(*IDLE)
    assert look(operator, '(list (result :greet "Bo") (length *waiting*))') == '("Hello, Bo." 0)'


def test_a_recovered_world_does_the_jobs_that_wait(job_queue: Path, open_session: Open) -> None:
    first = open_session(job_queue)
    first.wait_for(*IDLE)
    accept(first, GREET)
    accept(first, '(enqueue :greet "Bo")')
    first.quit()
    second = open_session(job_queue)
    second.wait_for(*IDLE)
    look_until(second, '(result :greet "Bo")', '"Hello, Bo."')


def test_a_thread_that_ends_by_an_error_is_told(job_queue: Path, open_session: Open) -> None:
    """The queue keeps the errors of its jobs; this one is in the thread's own code."""
    (job_queue / "invariants.lisp").write_text("")
    operator = open_session(job_queue)
    operator.wait_for(*IDLE)
    accept(operator, '(defun do-next () (when (pop *waiting*) (error "no paper")))')
    accept(operator, '(enqueue :greet "Bo")')
    look_until(operator, "(length *waiting*)", "0")
    operator.send(commands.Evaluate(operator.snapshot.painted, "1"))
    told = operator.wait(lambda s: s.notice is not None and "The thread queue ended: " in s.notice.text)
    assert told.notice.text == "The thread queue ended: SIMPLE-ERROR: no paper"
    assert look(operator, "(+ 1 1)") == "2"
