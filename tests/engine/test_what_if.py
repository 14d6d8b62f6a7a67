"""What would come of a restart, with or without a repair before it: tried beside the pause, which stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialState

Open = Callable[..., Any]

FORMS = """(defvar *rate* 2)
(defun total (x) (* x *rate*))
(restart-case (total (helper 1))
  (give (x) (setf *rate* 3) x)
  (worse () (error "worse"))
  (less () (setf *rate* -1) 0)
  (closure () (setf *rate* (let ((n 0)) (lambda () (incf n)))))
  (endless () (print "on and on") (loop)))"""
GOALS = '(goal "the rate is 3" (= *rate* 3)) (goal "there is a total" (total 1))'
INVARIANTS = '(invariant "the rate is positive" (or (not (boundp \'*rate*)) (not (realp *rate*)) (plusp *rate*)))'


def paused(plain_world: Path, open_session: Open) -> tuple[Any, Snapshot]:
    (plain_world / "world.toml").write_text(
        'packages = ["PLAIN"]\n[limits]\nevaluate_seconds = 1\n[[requests]]\ntext = "t"\n'
    )
    (plain_world / "goals.lisp").write_text(GOALS)
    (plain_world / "invariants.lisp").write_text(INVARIANTS)
    operator = open_session(plain_world)
    operator.send(commands.Evaluate(operator.wait(lambda s: s.phase is not Phase.STARTING).painted, FORMS))
    return operator, operator.wait_for(Phase.PAUSED)


def ended(operator: Any, count: int) -> Snapshot:
    return operator.wait(lambda s: len(s.trials) == count and all(row.ended for row in s.trials))


def restart(snapshot: Snapshot, name: str) -> str:
    return next(row.id for row in snapshot.pause.restarts if row.name == name)


def test_restarts_are_tried_with_their_consequences(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    events = len(operator.events)
    for name, arguments, repair in (
        ("give", ("7",), ""),
        ("continue", (), "(defun helper (x) (+ x 1))"),
        ("worse", (), ""),
        ("less", (), ""),
        ("closure", (), ""),
        ("endless", (), ""),
        ("give", (), ""),
        ("continue", (), "(car"),
        ("continue", (), '(error "in the repair")'),
        ("abandon", (), ""),
    ):
        operator.send(commands.WhatIf(pause.painted, restart(pause, name), arguments, repair))
    after = ended(operator, 10)
    give, repaired, worse, less, closure, endless, misused, unreadable, failing, nowhere = after.trials
    assert (give.name, give.arguments, give.state, give.text) == ("give", ("7",), TrialState.VALUE, "7")
    assert [f"{change.sign}{change.name}" for change in (*give.definitions, *give.data)] == [
        "+*rate*",
        "+total",
        "+*rate*",
    ]
    assert (give.broken, give.goals, give.acceptable) == ((), (2, 2), True)
    assert [(check.name, check.ok, check.candidate_ok) for check in give.checks if check.kind == "goal"] == [
        ("the rate is 3", False, True),
        ("there is a total", False, True),
    ]
    assert (repaired.text, repaired.goals, [change.name for change in repaired.definitions]) == (
        *("4", (1, 2)),
        ["*rate*", "total", "helper"],
    )
    assert (worse.state, worse.type, worse.text) == (TrialState.PAUSED, "SIMPLE-ERROR", "worse")
    assert (less.state, less.broken, less.acceptable) == (TrialState.VALUE, ("the rate is positive",), False)
    assert (closure.state, closure.acceptable) == (TrialState.FAILED, False)
    assert "cannot be written down" in closure.text
    assert (endless.state, endless.output) == (TrialState.TIMED_OUT, '\n"on and on" ')
    assert (misused.state, "takes 1 argument" in misused.text) == (TrialState.FAILED, True)
    assert (unreadable.state, "ends inside" in unreadable.text) == (TrialState.FAILED, True)
    assert (failing.state, failing.text) == (TrialState.PAUSED, "in the repair")
    assert nowhere.state is TrialState.FAILED
    assert (after.generation, after.pause, after.phase) == (pause.generation, pause.pause, Phase.PAUSED)
    assert len(operator.events) == events
    operator.send(commands.Look("(list *rate* (fboundp 'helper))"))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "(2 NIL)"
    operator.wait_until(lambda: trials_alive(operator) == 0)


def test_what_still_runs_is_stopped_and_what_has_ended_stays(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.WhatIf(pause.painted, restart(pause, "worse")))
    ended(operator, 1)
    operator.send(commands.WhatIf(pause.painted, restart(pause, "endless")))
    operator.send(commands.StopLooking())
    worse, endless = ended(operator, 2).trials
    assert (worse.state, worse.text) == (TrialState.PAUSED, "worse")
    assert (endless.state, endless.text) == (TrialState.FAILED, "Stopped after 0 s.")
    assert operator.snapshot.painted == pause.painted
    operator.wait_until(lambda: trials_alive(operator) == 0)


def test_what_leads_back_to_an_outer_level_is_followed_to_its_end(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.Repair(pause.painted, '(progn (defun helper (x) (+ x 1)) (error "afterwards"))'))
    inner = operator.wait(lambda s: s.phase is Phase.PAUSED and len(s.pause.levels) == 2)
    operator.send(commands.WhatIf(inner.painted, restart(inner, "use-value"), ("3",)))
    (row,) = ended(operator, 1).trials
    assert (row.then, row.state, row.text) == ((restart(pause, "continue"),), TrialState.VALUE, "4")
    assert [change.name for change in row.definitions] == ["*rate*", "total", "helper"]


def test_a_chosen_restart_continues_from_the_pause_itself(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.WhatIfAll(pause.painted))
    tried = operator.wait(lambda s: len(s.trials) == 8)
    assert [row.name for row in tried.trials] == [
        "continue",
        "return-value",
        "return-nothing",
        "worse",
        "less",
        "closure",
        "endless",
        "retry",
    ]
    candidate = operator.engine._session.attempt.process.worker.pid
    operator.send(commands.Resume(pause.painted, restart(pause, "give"), ("7",)))
    ready = operator.wait_for(Phase.READY)
    assert (ready.outcome.value, ready.trials) == ("7", ())
    assert operator.engine._session.attempt.process.worker.pid == candidate
    operator.wait_until(lambda: trials_alive(operator) == 0)
    operator.send(commands.Accept(ready.painted))
    assert operator.wait(lambda s: s.revision == 1).generation == 3


def test_what_was_asked_on_an_older_picture_is_too_late(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.Repair(pause.painted, "(defun helper (x) x)"))
    operator.send(commands.WhatIf(pause.painted, restart(pause, "worse")))
    later = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation == 2)
    assert later.trials == ()
    operator.send(commands.Abandon(later.painted))
    idle = operator.wait(lambda s: s.phase is not Phase.PAUSED)
    operator.send(commands.WhatIf(idle.painted, "0/0"))
    operator.wait(lambda s: s.notice is not None and "Nothing is paused" in s.notice.text)


def test_a_stale_or_invalid_answer_leaves_the_pause(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.WhatIf(pause.painted, restart(pause, "worse")))
    ended(operator, 1)
    operator.send(commands.Repair(pause.painted, "(car"))
    operator.wait(lambda s: s.notice is not None and "ends inside" in s.notice.text)
    operator.send(commands.WhatIf(operator.wait_for(Phase.PAUSED).painted, restart(pause, "less")))
    assert ended(operator, 1).trials[0].name == "less"


def test_an_answer_that_came_to_nothing_leaves_the_restarts_tried(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.WhatIfAll(pause.painted))
    first = operator.wait(lambda s: len(s.trials) == 8)
    operator.send(commands.Resume(pause.painted, restart(pause, "give"), ("1 2",)))
    operator.wait(lambda s: s.notice is not None and "is none" in s.notice.text)
    again = operator.wait(lambda s: len(s.trials) == 8 and s.trials[0].number > first.trials[-1].number)
    assert (again.phase, again.generation) == (Phase.PAUSED, pause.generation)
    assert [row.name for row in again.trials] == [row.name for row in first.trials]


def test_an_outer_level_keeps_its_menu_and_its_stack(plain_world: Path, open_session: Open) -> None:
    operator, pause = paused(plain_world, open_session)
    operator.send(commands.Repair(pause.painted, '(error "in the repair")'))
    deeper = operator.wait(lambda s: s.pause is not None and len(s.pause.levels) == 2).pause
    assert (deeper.levels[0].restarts, deeper.levels[0].frames) == (pause.pause.restarts, pause.pause.frames)
    assert (deeper.levels[1].restarts, deeper.levels[1].frames + pause.pause.frames) == (deeper.restarts, deeper.frames)


def trials_alive(operator: Any) -> int:
    """How many candidates there are besides the attempt's own."""
    workers = operator.engine._session.workers.keeper._registry.workers
    return len([worker for worker in workers if worker.role == "candidate"]) - 1
