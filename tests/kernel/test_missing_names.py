"""A goal may name what does not exist yet: it fails with that message, alone, until it does."""

from __future__ import annotations

import pytest
from fakes.attempt import evaluate

from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.messages import Unreadable, Value
from jiti_tui.kernel.world import World

FORMS = """
(defpackage #:bank (:use #:common-lisp) (:export #:balance #:with-account))
(in-package #:bank)
(defun balance (x) (inner x))
(defun inner (x) (* 2 x))
(defmacro with-account ((name) &body body) `(let ((,name 1)) ,@body))
"""

GOALS = [
    ("(= 4 (bank:balance 2))", "Package BANK does not exist"),
    ("(= 4 (bank::inner 2))", "Package BANK does not exist"),
    ("(funcall (lambda () (every (lambda (x) (bank:balance x)) '(1 2))))", "Package BANK does not exist"),
    ("(bank:with-account (a) (= a 1))", "Package BANK does not exist"),
]


async def _say(process: Forks, form: str) -> tuple[bool, str]:
    text = f'(goal "first" t)\n(goal "second" {form})\n'
    runner = await process.runner()
    found = await runner.index_checks("goal", "goals.lisp", text)
    assert not isinstance(found, Unreadable)
    assert [check.name for check in found] == ["first", "second"]
    said = await runner.check("goal", "second", "goals.lisp", 2, found[1].text, 5)
    await runner.close()
    return said.ok, said.detail


@pytest.mark.parametrize(("form", "message"), GOALS)
async def test_a_package_that_comes_later(world: World, form: str, message: str) -> None:
    ok, detail = await _say(world, form)
    assert not ok
    assert message in detail
    attempt = await evaluate(world, FORMS)
    assert isinstance(attempt.outcome, Value), attempt.outcome
    ok, detail = await _say(attempt.candidate, form)
    assert ok, detail


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("(bank:inner 2)", "INNER"),  # not external
        ("(bank:nothing 2)", "NOTHING"),
        ("(bank::nothing 2)", "NOTHING"),
        ("(no-function 2)", "The function WORLD::NO-FUNCTION is undefined"),
        ("(= *no-variable* 2)", "The variable *NO-VARIABLE* is unbound"),
        ("(common-lisp:no-such-symbol)", "NO-SUCH-SYMBOL"),
    ],
)
async def test_a_name_that_is_not_there_fails_its_goal_alone(world: World, form: str, message: str) -> None:
    attempt = await evaluate(world, FORMS)
    ok, detail = await _say(attempt.candidate, form)
    assert not ok
    assert message in detail.upper() or message in detail
