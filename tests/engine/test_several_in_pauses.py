"""Several answers to one pause: restarts and repairs, tried side by side in forks of the paused candidate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.answering import Answering

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.engine.interface.trial_row import TrialState
from jiti_tui.model.tokens import Tokens

Open = Callable[..., Any]

WANTED = 'packages = ["PLAIN"]\n[[requests]]\ntext = "Let total be 3."\n'
OUTER = {"kind": "evaluate", "forms": "(defvar *total* 0) (setf *total* (helper 1))"}


@pytest.fixture
def wanting(plain_world: Path) -> Path:
    (plain_world / "world.toml").write_text(WANTED)
    (plain_world / "goals.lisp").write_text('(goal "total" (= *total* 3))\n')
    (plain_world / "invariants.lisp").write_text(
        '(invariant "not below" (or (not (boundp (quote *total*))) (>= *total* 0)))\n'
    )
    return plain_world


def repair(value: int) -> dict[str, Any]:
    return {"kind": "repair", "forms": f"(defun helper (x) (declare (ignore x)) {value})", "rationale": f"{value}"}


def resume(restart: str, *arguments: str) -> dict[str, Any]:
    return {"kind": "resume", "restart": restart, "arguments": list(arguments), "rationale": " ".join(arguments)}


def fates(snapshot: Any) -> list[tuple[str, Fate, str]]:
    return [(row.body, row.fate, row.reason) for row in snapshot.proposals]


def test_the_best_repair_and_then_the_best_restart_go_on(wanting: Path, open_session: Open) -> None:
    model = Answering(
        *(OUTER, OUTER, OUTER),
        *(repair(-1), repair(1), repair(3)),
        *(resume("0/0"), resume("0/3"), "no action"),
        tokens=Tokens(8, 0, 2),
        proposals=3,
    )
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    met = operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET)
    assert (met.usage.attempts, met.usage.tokens, len(model.views)) == (1, 90, 9)
    reasons = {body: (fate, reason) for body, fate, reason in fates(met)}
    assert reasons[repair(-1)["forms"]] == (Fate.REJECTED, 'invariant "not below" broke')
    assert reasons[repair(1)["forms"]] == (Fate.REJECTED, "another was better")
    assert reasons[repair(3)["forms"]][0] is Fate.TAKEN
    told = "\n".join(model.views[-1].outcomes)
    assert 'Tried beside others and dropped, invariant "not below" broke: (defun helper' in told
    (resumed,) = [event.fields for event in operator.events if event.name == "resumed"]
    assert (resumed["restart"], resumed["name"]) == ("0/0", "continue")
    assert operator.names().count("attempt") == 1
    assert [reason for body, _, reason in fates(met) if body == OUTER["forms"]][:2] == ["another is the same"] * 2


def test_a_restart_beside_a_repair(wanting: Path, open_session: Open) -> None:
    model = Answering(OUTER, OUTER, repair(1), resume("0/2", "3"), proposals=2)
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    met = operator.wait(lambda s: s.revision == 1 and s.phase is Phase.MET)
    assert met.proposals[-1].body == "0/2 3"
    assert "repaired" not in operator.names()


def test_in_review_the_operator_takes_another_than_the_best(wanting: Path, open_session: Open) -> None:
    model = Answering(OUTER, OUTER, resume("0/2", "3"), repair(1), proposals=2)
    operator = open_session(wanting, proposer=model)
    operator.send(commands.Go())
    pause = operator.wait(lambda s: s.phase is Phase.PAUSED and s.suggestion is not None)
    assert (pause.suggested_restart, pause.suggested_arguments) == ("0/2", ("3",))
    answers = {row.forms: row for row in pause.trials if row.answer}
    assert [(row.state, row.goals) for row in answers.values()] == [
        (TrialState.VALUE, (1, 1)),
        (TrialState.VALUE, (0, 1)),
    ]
    operator.send(commands.TakeTrial(pause.painted, answers[repair(1)["forms"]].number))
    repaired = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation > pause.generation)
    assert ("0/2 3", Fate.REJECTED, "the operator chose otherwise") in fates(repaired)
    taken = repaired.proposals[-1]
    assert (taken.body, taken.fate, taken.origin, taken.rationale) == (repair(1)["forms"], Fate.TAKEN, "answering", "1")
    held = operator.wait(lambda s: s.held)
    operator.send(commands.TakeTrial(held.painted, 1))
    operator.wait(lambda s: s.notice is not None and "no longer there" in s.notice.text)


def test_what_cannot_be_tried_comes_after_what_stands(wanting: Path, open_session: Open) -> None:
    abandon = {"kind": "abandon", "rationale": "hopeless"}
    model = Answering(
        *(OUTER, OUTER, OUTER),
        *(abandon, resume("0/2", "-1"), resume("0/2", "-2")),
        proposals=3,
    )
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    operator.wait_until(lambda: "abandoned" in operator.names())
    assert [event.fields["reason"] for event in operator.events if event.name == "abandoned"] == ["hopeless"]


def test_a_pause_that_the_operator_holds_waits_for_him(wanting: Path, open_session: Open) -> None:
    model = Answering(OUTER, OUTER, resume("0/2", "3"), resume("0/2", "4"), proposals=2)
    operator = open_session(wanting, mode=Mode.ASK, proposer=model)
    operator.send(commands.Go())
    operator.send(commands.TakeSuggestion(operator.wait_for(Phase.ASKS).painted))
    pause = operator.wait(lambda s: s.phase is Phase.PAUSED and s.suggestion is not None)
    assert (pause.suggestion.body, len([row for row in pause.trials if row.answer])) == ("0/2 3", 2)


def test_stopping_ends_the_trials_of_answers_and_keeps_the_pause(wanting: Path, open_session: Open) -> None:
    toml = wanting / "world.toml"
    toml.write_text(WANTED.replace("[[requests]]", "[limits]\nevaluate_seconds = 60\n[[requests]]"))
    endless = {"kind": "repair", "forms": "(loop)"}
    model = Answering(OUTER, OUTER, endless, resume("0/2", "3"), proposals=2)
    operator = open_session(wanting, mode=Mode.AUTO, proposer=model)
    operator.send(commands.Go())
    operator.wait(lambda s: s.phase is Phase.PAUSED and any(row.answer and row.ended for row in s.trials))
    operator.send(commands.Stop())
    stopped = operator.wait(lambda s: s.phase is Phase.PAUSED and s.held and s.trials == ())
    assert (stopped.suggestion, stopped.generation) == (None, 1)
    operator.send(commands.Abandon(stopped.painted))
    operator.wait_until(lambda: "abandoned" in operator.names())
