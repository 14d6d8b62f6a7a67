"""The files of a world where repairs were dropped, one of several proposals was taken, or a restart was tried."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot

Open = Callable[..., Any]

DEMO = Path(__file__).parents[2] / "demo_worlds" / "price_list"
IDLE = (Phase.MET, Phase.NEW, Phase.HELD, Phase.RECOVERED)


@pytest.fixture
def price_list(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(DEMO, tmp_path / "price_list", ignore=shutil.ignore_patterns("store")))


def write(name: str) -> str:
    return f'(setf (lines "{name}") (list "{name}"))'


def kept(world: Path, revision: int) -> list[str]:
    """The names of the files of a revision on disk."""
    folder = world / f"store/revision-{revision}/files/list"
    return sorted(path.name for path in folder.iterdir())


def repair(operator: Any, pause: Snapshot, forms: str) -> Snapshot:
    operator.send(commands.Repair(pause.painted, forms))
    after: Snapshot = operator.wait(lambda s: s.phase is Phase.PAUSED and s.generation > pause.generation)
    return after


def resume(operator: Any, pause: Snapshot, name: str, *arguments: str) -> None:
    assert pause.pause is not None
    restart = next(row.id for row in pause.pause.restarts if row.name == name)
    operator.send(commands.Resume(pause.painted, restart, arguments))


def test_files_of_dropped_repairs_are_not_among_the_promoted(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    idle = operator.wait_for(*IDLE)
    operator.send(commands.Evaluate(idle.painted, f'{write("first")} (list (error "e"))'))
    pause = operator.wait_for(Phase.PAUSED)
    for name in ("kept", "dropped-1", "dropped-2"):
        pause = repair(operator, pause, write(name))
    pause = repair(operator, pause, f'{write("dropped-3")} (error "in the repair")')
    for _ in range(3):
        generation = pause.generation
        resume(operator, pause, "drop-repair")
        pause = operator.wait(lambda s, before=generation: s.phase is Phase.PAUSED and s.generation > before)
    resume(operator, pause, "use-value", "1")
    ready = operator.wait_for(Phase.READY)
    assert [change.name for change in ready.outcome.data] == ["list/first", "list/kept"]
    operator.send(commands.Accept(ready.painted))
    operator.wait(lambda s: s.revision == 1 and s.phase in IDLE)
    assert kept(price_list, 1) == ["first", "kept", "prices.csv"]
    operator.send(commands.Look('(jiti:world-files "list")'))
    assert operator.wait(lambda s: s.looked is not None).looked.text == '("first" "kept" "prices.csv")'


def test_the_files_of_a_taken_proposal_are_promoted_alone(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    idle = operator.wait_for(*IDLE)
    operator.send(commands.TryProposals(idle.painted, tuple(write(name) for name in ("one", "two", "three"))))
    after = operator.wait(lambda s: len(s.trials) == 3 and all(row.ended for row in s.trials))
    assert [[change.name for change in row.data] for row in after.trials] == [
        ["list/one"],
        ["list/two"],
        ["list/three"],
    ]
    operator.send(commands.TakeTrial(after.painted, after.trials[1].number))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 1 and s.phase in IDLE)
    assert kept(price_list, 1) == ["prices.csv", "two"]
    operator.send(commands.Look('(jiti:world-files "list")'))
    assert operator.wait(lambda s: s.looked is not None).looked.text == '("prices.csv" "two")'


def test_a_trial_shows_its_files_and_leaves_none(price_list: Path, open_session: Open) -> None:
    operator = open_session(price_list)
    idle = operator.wait_for(*IDLE)
    forms = f'(restart-case (error "e") (note () {write("noted")}))'
    operator.send(commands.Evaluate(idle.painted, forms))
    pause = operator.wait_for(Phase.PAUSED)
    operator.send(commands.WhatIf(pause.painted, "0/0", (), write("repaired")))
    (row,) = operator.wait(lambda s: len(s.trials) == 1 and s.trials[0].ended).trials
    assert [change.name for change in row.data] == ["list/noted", "list/repaired"]
    resume(operator, operator.snapshot, "use-value", "1")
    operator.wait_for(*IDLE)  # nothing has changed
    assert operator.events[-1].fields.get("reason") == "no change"
