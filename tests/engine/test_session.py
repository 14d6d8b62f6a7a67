"""A session in review mode: the operator's consent, choices in a pause, and everything that can come between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.desk import TOO_LATE
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate, Snapshot

Open = Callable[..., Any]
Record = Callable[..., None]

DOUBLE = "(defun double (x) (* 2 x))"


def test_nothing_is_sent_before_the_operator_starts(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    snapshot = operator.wait_for(Phase.NEW)
    assert (snapshot.revision, snapshot.generation, snapshot.proposals, snapshot.recorded) == (0, 0, (), True)
    assert snapshot.request.text.startswith("Create a sales-tax calculator")
    operator.quit()
    assert "proposal" not in operator.names()


def test_ready_outcome_waits_and_is_accepted(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    ready = operator.wait_for(Phase.READY)
    assert ready.outcome.revision == 1
    assert {(change.sign, change.name.upper()) for change in ready.outcome.definitions} == {
        ("+", "SALES-TAX"),
        ("+", "TOTAL-PRICE"),
    }
    gained = [row.name for row in ready.checks if row.candidate_ok and not row.ok]
    assert gained == ["the tax on 100.00 is 5.00", "100.00 costs 105.00"]
    operator.send(commands.Accept(ready.painted))
    met = operator.wait_for(Phase.MET)
    assert (met.revision, met.generation, met.proposals[-1].fate) == (1, 1, Fate.ACCEPTED)
    assert [row.number for row in met.revisions] == [1, 0]
    assert met.revisions[0].live
    assert not met.revisions[1].live


@pytest.mark.parametrize(
    ("goals", "told"),
    [
        ("", "Revision 1 is on disk."),
        ('(goal "one" t)', "Revision 1 is on disk. 1 of 1 goal met."),
        ('(goal "one" t) (goal "two" nil)', "Revision 1 is on disk. 1 of 2 goals met."),
    ],
)
def test_an_accepted_outcome_is_told_with_its_goals(
    goals: str, told: str, plain_world: Path, open_session: Open
) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "Double."\n')
    (plain_world / "goals.lisp").write_text(goals)
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, DOUBLE))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 1 and s.notice is not None and s.notice.text == told)


def test_rejected_outcome_leaves_no_trace(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, DOUBLE))
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.Reject(ready.painted, "not needed"))
    after = operator.wait(lambda s: s.attempt == 1 and s.phase not in (Phase.READY, Phase.TRYING, Phase.CHECKING))
    assert (after.revision, after.generation, after.proposals[-1].fate) == (0, 0, Fate.REJECTED)
    assert "not needed" in after.proposals[-1].reason
    operator.send(commands.Look("(fboundp 'double)"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "NIL"


def test_an_outcome_that_waits_is_tried_again_with_changes(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, DOUBLE))
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.Evaluate(ready.painted, "(defun triple (x) (* 3 x))"))
    again = operator.wait(lambda s: s.phase is Phase.READY and s.attempt == 2)
    assert [row.fate for row in again.proposals] == [Fate.REJECTED, Fate.READY]
    assert [change.name.upper() for change in again.outcome.definitions] == ["TRIPLE"]


def test_key_for_an_older_picture_is_too_late(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, DOUBLE))
    ready = operator.wait_for(Phase.READY)
    for painted in (
        replace(ready.painted, generation=7),
        replace(ready.painted, attempt=0),
        replace(ready.painted, phase=Phase.PAUSED),
    ):
        before = operator.snapshot.notice.number if operator.snapshot.notice else 0
        operator.send(commands.Accept(painted))
        late = operator.wait(lambda s, before=before: s.notice is not None and s.notice.number > before)
        assert late.notice.text == TOO_LATE
    assert operator.snapshot.phase is Phase.READY
    assert operator.snapshot.revision == 0


def paused(operator: Any, painted: Snapshot, forms: str) -> Snapshot:
    operator.send(commands.Evaluate(painted.painted, forms))
    return operator.wait_for(Phase.PAUSED)


def test_operator_repairs_and_resumes_by_hand(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    snapshot = paused(operator, idle, "(defun quad (x) (double (double x))) (setf (jiti:value :q) (quad 3))")
    assert (snapshot.generation, snapshot.pause.levels[0].type) == (1, "UNDEFINED-FUNCTION")
    operator.send(commands.Repair(snapshot.painted, DOUBLE))
    repaired = operator.wait(lambda s: s.generation == 2 and s.phase is Phase.PAUSED)
    retry = next(row for row in repaired.pause.restarts if row.name == "retry")
    operator.send(commands.Resume(repaired.painted, retry.id))
    ready = operator.wait_for(Phase.READY)
    assert (ready.generation, ready.outcome.value) == (3, "12")
    assert ready.outcome.steps == ("evaluate", "UNDEFINED-FUNCTION", "repair", f"{retry.id} retry", "value")
    operator.send(commands.Accept(ready.painted))
    accepted = operator.wait(lambda s: s.revision == 1)
    assert accepted.generation == 4


def test_error_in_a_repair_opens_the_next_level(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    snapshot = paused(operator, idle, "(setf (jiti:value :q) (undefined-one))")
    operator.send(commands.Repair(snapshot.painted, "(defun undefined-one () 1) (car 1)"))
    deeper = operator.wait(lambda s: s.phase is Phase.PAUSED and s.pause is not None and len(s.pause.levels) == 2)
    assert all(row.id.startswith("1/") for row in deeper.pause.restarts)
    use_value = next(row for row in deeper.pause.restarts if row.name == "use-value")
    operator.send(commands.Resume(deeper.painted, use_value.id, ("nil",)))
    back = operator.wait(lambda s: s.phase is Phase.PAUSED and s.pause is not None and len(s.pause.levels) == 1)
    proceed = next(row for row in back.pause.restarts if row.name == "continue")
    operator.send(commands.Resume(back.painted, proceed.id))
    ready = operator.wait_for(Phase.READY)
    assert ready.outcome.value == "1"


def test_wrong_restart_or_argument_count_leaves_the_pause(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    snapshot = paused(operator, idle, '(error "stop")')
    for restart, arguments in (("0/9", ()), ("3/0", ()), ("0/0", ()), ("0/0", ("1", "2")), ("0/0", ("(",))):
        count = operator.names().count("invalid")
        operator.send(commands.Resume(snapshot.painted, restart, arguments))
        operator.wait(lambda s, count=count: operator.names().count("invalid") > count and s.phase is Phase.PAUSED)
    assert operator.snapshot.generation == 1
    operator.send(commands.Abandon(operator.snapshot.painted, "enough"))
    operator.wait(lambda s: s.phase is not Phase.PAUSED)
    assert operator.names()[-2:] == ["abandoned", "restored"]
    assert operator.snapshot.generation == 2


def test_endless_loop_is_stopped_and_pauses(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, "(loop)"))
    operator.wait_for(Phase.TRYING)
    operator.send(commands.Stop())
    snapshot = operator.wait_for(Phase.PAUSED)
    assert "TIME-LIMIT" in snapshot.pause.levels[0].type


def test_request_written_while_an_outcome_waits_comes_next(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.send(commands.Go())
    ready = operator.wait_for(Phase.READY)
    operator.send(commands.AddRequest("Round the totals."))
    operator.wait(lambda s: s.notice is not None and "comes next" in s.notice.text)
    operator.send(commands.Hold())
    operator.send(commands.Accept(ready.painted))
    snapshot = operator.wait(lambda s: s.request is not None and s.request.text == "Round the totals.")
    assert (snapshot.revision, snapshot.generation, snapshot.request.number) == (1, 2, 2)


def test_saved_goals_reload_and_make_a_waiting_outcome_be_checked_again(sales_tax: Path, open_session: Open) -> None:
    operator = open_session(sales_tax)
    operator.send(commands.Go())
    ready = operator.wait_for(Phase.READY)
    goals = sales_tax / "goals.lisp"
    goals.write_text(goals.read_text() + '\n(goal "a further one" (= (sales-tax 200.00) 10.00))\n')
    again = operator.wait(lambda s: any(row.name == "a further one" and row.candidate_ok for row in s.checks))
    assert (again.phase, again.generation) == (Phase.READY, ready.generation + 1)
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.notice is not None and s.notice.text == TOO_LATE)
    goals.write_text(goals.read_text() + "\n(goal")
    broken = operator.wait(
        lambda s: s.notice is not None and "goals.lisp" in s.notice.text and "last good" in s.notice.text
    )
    assert any(row.name == "a further one" for row in broken.checks)
    operator.send(commands.Accept(operator.snapshot.painted))
    assert operator.wait(lambda s: s.revision == 1).generation == ready.generation + 2


def test_suggestion_in_a_pause_waits_for_the_operator(plain_world: Path, open_session: Open, record: Record) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "Set it."\ngoals = []\n')
    record(
        plain_world,
        {
            "kind": "evaluate",
            "forms": '(setf (jiti:value :q) (restart-case (error "which?") (use-value (value) value)))',
        },
        {"kind": "resume", "restart": "use-value", "arguments": ["42"]},
        {"kind": "finish"},
    )
    operator = open_session(plain_world)
    operator.wait_for(Phase.NEW)
    operator.send(commands.Go())
    snapshot = operator.wait(lambda s: s.phase is Phase.PAUSED and s.suggestion is not None)
    assert (snapshot.suggested_restart, snapshot.suggested_arguments) == ("0/0", ("42",))
    operator.send(commands.TakeSuggestion(snapshot.painted))
    ready = operator.wait_for(Phase.READY)
    assert ready.outcome.value == "42"
    operator.send(commands.Accept(ready.painted))
    asks = operator.wait_for(Phase.ASKS)
    assert asks.suggestion.kind == "finish"
    operator.send(commands.TakeSuggestion(asks.painted))
    assert operator.wait_for(Phase.MET).revision == 1


def test_safe_revision_that_meets_no_goal_is_accepted(sales_tax: Path, open_session: Open, record: Record) -> None:
    record(sales_tax, {"kind": "evaluate", "forms": "(setf (jiti:value :note) (list :one 1))"})
    operator = open_session(sales_tax, mode=Mode.AUTO)
    operator.send(commands.Go())
    snapshot = operator.wait_for(Phase.BLOCKED)
    assert (snapshot.revision, snapshot.generation) == (1, 1)
    assert not any(row.ok for row in snapshot.checks if row.kind == "goal")
    operator.quit()
    again = open_session(sales_tax)
    again.wait(lambda s: s.phase is not Phase.STARTING)
    again.send(commands.Look("(jiti:value :note)"))
    assert again.wait(lambda s: s.looked is not None).looked.text == "(:ONE 1)"


def test_attempt_that_changes_nothing_makes_no_revision(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, "(+ 1 2)"))
    operator.wait(lambda s: "restored" in operator.names())
    value, _checked, restored = operator.events[-3:]
    assert (value.fields["value"], restored.fields["reason"]) == ("3", "no change")


def test_form_that_does_not_read_is_invalid_and_costs_nothing(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    idle = operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.Evaluate(idle.painted, "(defun broken (x)\n  (+ x"))
    snapshot = operator.wait(lambda s: bool(s.proposals) and s.proposals[-1].fate is Fate.INVALID)
    assert snapshot.generation == 0


def test_what_one_check_changes_no_other_sees(plain_world: Path, open_session: Open) -> None:
    (plain_world / "goals.lisp").write_text(
        '(goal "changes" (setf (jiti:value :x) 1))\n(goal "sees nothing" (null (jiti:value :x)))\n'
        '(goal "ends its process" (loop while (setf (jiti:value :x) 2) finally (return t)))\n'
        '(goal "is asked still" t)\n'
    )
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[limits]\ncheck_seconds = 0.5\n')
    snapshot = open_session(plain_world).wait(lambda s: s.phase is not Phase.STARTING)
    assert [(row.name, row.ok) for row in snapshot.checks] == [
        ("changes", True),
        ("sees nothing", True),
        ("ends its process", False),
        ("is asked still", True),
    ]
    assert "timed out" in snapshot.checks[2].detail
