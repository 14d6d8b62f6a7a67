"""Every way in which an evaluation can signal, and what leads on from there."""

from __future__ import annotations

import pytest
from fakes.attempt import SECONDS, evaluate

from jiti_tui.kernel.messages import Abandoned, Invalid, Repaired, Stale, Value
from jiti_tui.kernel.world import World

FORM_RESTARTS = ["use-value", "retry", "abandon"]
"""What the kernel itself offers around every top-level form."""
REPAIRED_RESTARTS = ["use-value", "retry", "drop-repair", "abandon"]
"""The same after a repair."""


# What signals, and what does not


@pytest.mark.parametrize(
    ("forms", "type_", "condition", "restarts"),
    [
        ('(error "no ~A" 1)', "SIMPLE-ERROR", "no 1", []),
        ("unbound", "UNBOUND-VARIABLE", "The variable UNBOUND is unbound.", ["continue", "use-value", "store-value"]),
        (
            "(undefined 1)",
            "UNDEFINED-FUNCTION",
            "The function WORLD::UNDEFINED is undefined.",
            ["continue", "use-value", "return-value", "return-nothing"],
        ),
        ('(cerror "Go on." "stop")', "SIMPLE-ERROR", "stop", ["continue"]),
        ('(break "here")', "SIMPLE-CONDITION", "here", ["continue"]),
        ('(let ((x "a")) (check-type x integer) x)', "SIMPLE-TYPE-ERROR", 'The value of X is "a"', ["store-value"]),
        ("(let ((x 1)) (assert (= x 2) (x)) x)", "SIMPLE-ERROR", "The assertion (= X 2) failed", ["continue"]),
        ("(assert (= 1 2))", "SIMPLE-ERROR", "The assertion (= 1 2) failed.", ["continue"]),
        ("(let ((x 3)) (ccase x (1 2)))", "SB-KERNEL:CASE-FAILURE", "3 fell through CCASE", ["store-value"]),
        ("(ecase 3 (1 2))", "SB-KERNEL:CASE-FAILURE", "3 fell through ECASE", []),
        (
            "(defun one (x) x) (one)",
            "SB-INT:SIMPLE-PROGRAM-ERROR",
            "invalid number of arguments: 0",
            ["replace-function", "call-form"],
        ),
        ("(defun key (&key a) a) (key :b 1)", "SB-EXT:UNKNOWN-KEYWORD-ARGUMENT", ":B", ["continue"]),
        ("(restart-case (error 'control-error) (a () 1) (a () 2))", "CONTROL-ERROR", "", ["a", "a"]),
        ("(invoke-debugger (make-condition (quote warning)))", "WARNING", "", []),
        ("(define-condition own (error) ()) (error 'own)", "OWN", "", []),
        ("(abort)", "SB-INT:SIMPLE-CONTROL-ERROR", "No restart ABORT is active.", []),
        ("(read-line)", "END-OF-FILE", "end of file", []),
        ('(y-or-n-p "really?")', "END-OF-FILE", "end of file", []),
        ("(read-char *query-io*)", "END-OF-FILE", "end of file", []),
        ("(throw 'nowhere 1)", "SB-INT:SIMPLE-CONTROL-ERROR", "attempt to THROW to a tag that does not exist", []),
        ("(car 1)", "TYPE-ERROR", "The value 1 is not of type LIST", []),
        ("(make-array 100000000000)", "SB-KERNEL::HEAP-EXHAUSTED-ERROR", "Heap exhausted", []),
    ],
)
async def test_a_condition_pauses_with_the_restarts_of_the_attempt(
    world: World, forms: str, type_: str, condition: str, restarts: list[str]
) -> None:
    attempt = await evaluate(world, forms)
    assert attempt.pause.level == 0
    assert attempt.pause.generation == 1
    assert attempt.pause.type == type_
    assert condition in attempt.pause.condition
    assert attempt.names == restarts + FORM_RESTARTS
    assert [restart.id for restart in attempt.pause.restarts] == [f"0/{i}" for i in range(len(attempt.names))]


@pytest.mark.parametrize(
    ("forms", "value"),
    [
        ("(progn (signal 'error) 1)", "1"),
        ('(progn (signal "text") 2)', "2"),
        ('(ignore-errors (error "x"))', "NIL"),
        ('(handler-case (error "x") (error () 3))', "3"),
        ("(continue)", "NIL"),
        ("(read-char nil nil :end)", ":END"),
        ('(with-simple-restart (abort "a") (abort))', "NIL"),
        ("(use-value 4)", "4"),
        ("(let ((*debugger-hook* (lambda (c h) c h (throw 'out 5)))) (catch 'out 5))", "5"),
        ('(progn (warn "careful") 6)', "6"),
    ],
)
async def test_what_is_no_unhandled_condition_does_not_pause(world: World, forms: str, value: str) -> None:
    attempt = await evaluate(world, forms)
    assert isinstance(attempt.outcome, Value), attempt.outcome
    assert attempt.value == value
    assert attempt.outcome.generation == 0


@pytest.mark.parametrize(
    ("forms", "line", "column", "reason"),
    [
        ("(list 1)\n  (foo:bar 1)", 2, 10, "Package FOO does not exist."),
        ("(list 1)\n\n  #<x>", 3, 4, "illegal sharp macro character"),
        ('(list)\n(defun f ()\n  "abc)', 2, 0, "The text ends inside the form that begins here."),
        ("1 )", 1, 2, "There is a closing parenthesis too many."),
        ("1\n (in-package :nowhere)", 2, 1, "There is no package NOWHERE."),
    ],
)
async def test_what_does_not_read_is_told_with_its_place(
    world: World, forms: str, line: int, column: int, reason: str
) -> None:
    attempt = await evaluate(world, forms)
    assert isinstance(attempt.outcome, Invalid)
    assert (attempt.outcome.line, attempt.outcome.column) == (line, column)
    assert reason in attempt.outcome.reason


# Restarts


async def test_restarts_do_what_their_names_say(world: World) -> None:
    unbound = "(list 1 unbound)"
    for restart, value in (("0/1", "(1 2)"), ("store-value", "(1 2)"), ("0/3", "2")):
        assert (await (await evaluate(world, unbound)).resume(restart, "2")).value == value
    attempt = await evaluate(world, unbound)
    assert (await attempt.resume("retry")).pause.generation == 3
    assert (await attempt.resume("continue")).pause.generation == 5
    await attempt.repair("(defvar unbound 5)")
    assert (await attempt.go_on("0/0")).outcome == Value(7, "(1 5)", "", 0, ())


async def test_a_place_that_is_at_fault_takes_a_new_value(world: World) -> None:
    for forms, argument, value in (
        ('(let ((x "a")) (check-type x integer) (list x))', "4", "(4)"),
        ("(let ((x (list 3))) (ccase (first x) (1 :one) (2 :two)))", "2", ":TWO"),
        ("(let ((x 3)) (ctypecase x (string (length x))))", '"four"', "4"),
    ):
        assert (await (await evaluate(world, forms)).resume("store-value", argument)).value == value


async def test_arguments_are_data(world: World) -> None:
    forms = '(restart-case (error "e") (give (x) x))'
    for text, value in (
        ("(+ 1 2)", "(+ 1 2)"),
        ("'a", "(QUOTE A)"),
        ("(progn 1 2)", "(PROGN 1 2)"),
        ('"a\\"b" ; so', '"a\\"b"'),
        ("new-symbol", "NEW-SYMBOL"),
        ("#\\a", "#\\a"),
    ):
        assert (await (await evaluate(world, forms)).resume("give", text)).value == value


@pytest.mark.parametrize(
    ("restart", "arguments", "reason"),
    [
        ("0/9", [], "There is no restart 0/9"),
        ("1/0", [], "There is no restart 1/0"),
        ("", [], "There is no restart"),
        ("give", [], "There is no restart give"),
        ("0/0", [], "takes 2 arguments, not 0"),
        ("0/0", ["1", "2", "3"], "takes 2 arguments, not 3"),
        ("0/1", ["1", "2", "3"], "takes 0 to 2 arguments, not 3"),
        ("0/2", [], "takes 1 or more arguments, not 0"),
        ("0/3", ["1"], "takes 0 arguments, not 1"),
        ("0/4", ["1", "2"], "takes 1 argument, not 2"),
        ("0/0", ["1", ""], "one Lisp datum"),
        ("0/0", ["1", "1 2"], "one Lisp datum"),
        ("0/0", ["1", "(1"], "one Lisp datum"),
        ("0/0", ["1", "1)"], "one Lisp datum"),
        ("0/0", ["1", '#.(error "evaluated")'], "*READ-EVAL*"),
        ("0/0", ["1", "no-such:symbol"], "NO-SUCH"),
    ],
)
async def test_a_misused_restart_is_told_back_and_the_pause_goes_on(
    world: World, restart: str, arguments: list[str], reason: str
) -> None:
    forms = """(restart-case (error "e")
                 (two (a b) (list a b)) (some (&optional a b) (list a b)) (any (a &rest b) (cons a b))
                 (none () 1) (one (a) a))"""
    attempt = await evaluate(world, forms)
    assert [(r.least, r.most) for r in attempt.pause.restarts[:5]] == [(2, 2), (0, 2), (1, None), (0, 0), (1, 1)]
    reply = await attempt.candidate.resume(1, restart, arguments, SECONDS)
    assert isinstance(reply, Invalid)
    assert reason in reply.reason
    assert (await attempt.resume("0/2", "1", "2", "3")).value == "(1 2 3)"


async def test_the_same_name_at_several_depths(world: World) -> None:
    forms = """(list (restart-case (list (restart-case (error "e") (out (x) (list :inner x))))
                       (out (x) (list :outer x))))"""
    attempt = await evaluate(world, forms)
    assert attempt.names == ["out", "out", *FORM_RESTARTS]
    assert (await attempt.resume("0/0", "1")).value == "(((:INNER 1)))"
    assert (await (await evaluate(world, forms)).resume("0/1", "1")).value == "((:OUTER 1))"


async def test_a_restart_that_asks_takes_its_arguments_from_the_controller(world: World) -> None:
    forms = """(restart-case (error "e")
                 (ask (x y) :interactive (lambda () (list (read-line) (read-line))) :report "Ask." (list x y)))"""
    attempt = await evaluate(world, forms)
    assert attempt.restart("ask").report == "Ask."
    assert (await attempt.resume("ask", "1", "2")).value == "(1 2)"


async def test_a_restart_that_returns_leads_to_the_same_pause(world: World) -> None:
    attempt = await evaluate(world, '(restart-bind ((note (lambda () 1))) (error "e"))')
    await attempt.resume("note")
    assert (attempt.pause.generation, attempt.pause.level, attempt.pause.condition) == (3, 0, "e")
    assert (await attempt.resume("use-value", "2")).value == "2"


async def test_restarts_with_a_test_are_offered_when_it_passes(world: World) -> None:
    forms = """(restart-case (error "e") (yes () :test (lambda (c) (typep c 'error)) 1) (no () :test null 2))"""
    assert (await evaluate(world, forms)).names == ["yes", *FORM_RESTARTS]


async def test_the_menu_ends_with_abandon(world: World) -> None:
    attempt = await evaluate(world, '(defvar *x* 1) (error "e")')
    assert await attempt.candidate.abandon(0) == Stale(1)
    assert await attempt.candidate.abandon(1) == Abandoned(2)
    await attempt.candidate.worker.wait_dead()
    assert (await evaluate(world, "(boundp '*x*)")).value == "NIL"


# Repairs and levels


async def test_a_repair_and_the_outer_call_are_one(world: World) -> None:
    attempt = await evaluate(world, "(defun outer () (list (helper 1) (other 2))) (outer)")
    assert attempt.pause.type == "UNDEFINED-FUNCTION"
    await attempt.repair("(defun helper (x) (print x) (* x 10))")
    assert isinstance(attempt.outcome, Repaired)
    assert (attempt.generation, attempt.value, attempt.outcome.output) == (2, "HELPER", "")
    await attempt.go_on("0/0")
    assert (attempt.pause.generation, attempt.pause.output) == (4, "\n1 ")
    await attempt.repair("(defun other (x) x)")
    assert (await attempt.go_on("0/0")).outcome == Value(6, "(10 2)", "", 0, ())
    world = await attempt.candidate.accept(1, 6)
    assert (world.revision, world.generation) == (1, 7)
    assert (await evaluate(world, "(outer)")).value == "(10 2)"


async def test_an_error_in_a_repair_opens_the_next_level(world: World) -> None:
    attempt = await evaluate(world, '(list (restart-case (error "outer") (outer (x) x)))')
    await attempt.repair('(restart-case (error "inner") (inner (x) x))')
    assert (attempt.pause.level, attempt.pause.condition) == (1, "inner")
    assert attempt.names == ["inner", *REPAIRED_RESTARTS]
    assert attempt.restart("inner").id == "1/0"
    assert isinstance(await attempt.candidate.resume(2, "0/0", ["1"], SECONDS), Invalid)
    assert (await attempt.resume("inner", "8")).value == "8"
    assert attempt.generation == 4
    assert (await attempt.go_on("0/0", "9")).outcome == Value(5, "(9)", "", 0, ())


async def test_what_is_around_a_pause_is_out_of_reach_of_a_repair(world: World) -> None:
    forms = "(catch 'out (handler-case (restart-case (list (break)) (out () 3)) (error () 2)))"
    attempt = await evaluate(world, forms)
    for level, repair, type_ in (
        (1, '(error "not for the handler")', "SIMPLE-ERROR"),
        (2, "(invoke-restart 'out)", "SB-INT:SIMPLE-CONTROL-ERROR"),
        (3, "(throw 'out 4)", "JITI:EVALUATION-LEFT"),
    ):
        await attempt.repair(repair)
        assert (attempt.pause.level, attempt.pause.type) == (level, type_)
        assert attempt.names == REPAIRED_RESTARTS
    await attempt.resume("use-value", "0")
    for level in (2, 1):
        await attempt.go_on(f"{level}/0", "0")
    assert (await attempt.go_on("0/0")).value == "(NIL)"


async def test_there_are_six_levels(world: World) -> None:
    attempt = await evaluate(world, '(error "0")')
    for level in range(1, 6):
        await attempt.repair(f'(error "{level}")')
        assert (attempt.pause.level, attempt.pause.condition) == (level, str(level))
    refused = await attempt.candidate.repair(attempt.generation, '(error "one more")', SECONDS)
    assert isinstance(refused, Invalid)
    assert "SIMPLE-ERROR: one more" in refused.reason
    assert (await attempt.repair("(+ 1 1)")).value == "2"
    for level in range(5, -1, -1):
        assert (await attempt.go_on(f"{level}/0", f"{level}")).value == str(level)
    assert isinstance(attempt.outcome, Value)


async def test_a_repair_that_does_not_read_changes_nothing(world: World) -> None:
    attempt = await evaluate(world, '(error "e")')
    for forms, reason in (("(defun f ()\n  (car", "ends inside"), ("(sb-ext:exit)", "SB-EXT"), ("(x:y)", "X")):
        reply = await attempt.candidate.repair(1, forms, SECONDS)
        assert isinstance(reply, Invalid)
        assert reason in reply.reason
    assert await attempt.candidate.repair(0, "1", SECONDS) == Stale(1)
    assert (await attempt.repair("1")).value == "1"
    assert attempt.generation == 2
