"""A session that is recorded, and its transcript that is played back."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.answering import Answering

from jiti_tui.engine.board import Board
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.records.recorder import Recorder
from jiti_tui.errors import UsageError

Open = Callable[..., Any]


def ids(operator: Any) -> list[str]:
    return [event.fields["id"] for event in operator.events if event.name == "published"]


def test_a_transcript_plays_back_to_the_same_revisions(sales_tax: Path, tmp_path: Path, open_session: Open) -> None:
    script = tmp_path / "recorded.jsonl"
    first = open_session(sales_tax, mode=Mode.AUTO, record=script)
    first.send(commands.Go())
    first.wait(lambda s: s.revision == 3 and s.phase is Phase.MET)
    first.quit()
    assert script.stat().st_mode & 0o777 == 0o600
    actions = [json.loads(line)["action"] for line in script.read_text().splitlines()]
    assert [action["kind"] for action in actions] == ["evaluate", "evaluate", "evaluate", "repair", "resume"]
    assert all(action["generation"] is None for action in actions)
    again = open_session(sales_tax.rename(tmp_path / "again"), mode=Mode.AUTO, proposer="replay", transcript=script)
    # The store went along: only a new one has revisions 1 to 3 still to come.
    assert again.wait_for(Phase.MET, Phase.NEW, Phase.HELD).revision == 3
    again.quit()
    store = tmp_path / "again" / "store"
    store.rename(tmp_path / "old-store")
    new = open_session(tmp_path / "again", mode=Mode.AUTO, proposer="replay", transcript=script)
    new.send(commands.Go())
    new.wait(lambda s: s.revision == 3 and s.phase is Phase.MET)
    assert ids(new) == ids(first)
    assert len(ids(new)) == 3


def test_going_back_is_played_back_too(plain_world: Path, tmp_path: Path, open_session: Open) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "Go on."\ngoals = []\n')
    script = tmp_path / "recorded.jsonl"
    operator = open_session(plain_world, record=script, proposer=Answering())

    def accept(command: Callable[[Any], commands.Command], revision: int) -> None:
        operator.send(command(operator.wait_for(Phase.NEW, Phase.HELD).painted))
        operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
        operator.wait(lambda s: s.revision == revision)

    accept(lambda painted: commands.Evaluate(painted, "(defun f () 1)"), 1)
    accept(lambda painted: commands.Evaluate(painted, "(defun g () 2)"), 2)
    accept(lambda painted: commands.GoBack(painted, 1), 3)
    accept(lambda painted: commands.Evaluate(painted, "(defun h () (f))"), 4)
    operator.quit()
    actions = [json.loads(line)["action"] for line in script.read_text().splitlines()]
    assert [action["kind"] for action in actions] == ["evaluate", "evaluate", "go-back", "evaluate"]
    assert actions[2]["revision"] == 1
    (plain_world / "store").rename(tmp_path / "old-store")
    new = open_session(plain_world, mode=Mode.AUTO, proposer="replay", transcript=script)
    new.send(commands.Go())
    new.wait(lambda s: s.revision == 4 and s.held)
    assert len(ids(new)) == 4
    assert ids(new) == ids(operator)


def test_what_the_operator_does_is_recorded_and_what_he_refuses_is_not(
    plain_world: Path, tmp_path: Path, open_session: Open
) -> None:
    (plain_world / "world.toml").write_text('packages = ["PLAIN"]\n[[requests]]\ntext = "Keep it."\ngoals = []\n')
    script = tmp_path / "recorded.jsonl"
    model = Answering({"kind": "evaluate", "forms": "(defun theirs () 1)"}, {"kind": "finish"})
    operator = open_session(plain_world, proposer=model, record=script)
    operator.send(commands.Go())
    operator.send(commands.Reject(operator.wait_for(Phase.READY).painted))
    asks = operator.wait_for(Phase.ASKS)
    operator.send(commands.Evaluate(asks.painted, "(defun mine () 2)"))
    operator.send(commands.Accept(operator.wait_for(Phase.READY).painted))
    operator.wait(lambda s: s.revision == 1)
    operator.quit()
    assert [json.loads(line)["action"]["forms"] for line in script.read_text().splitlines()] == ["(defun mine () 2)"]


def test_a_file_that_is_there_is_not_recorded_over(plain_world: Path, tmp_path: Path, open_session: Open) -> None:
    script = tmp_path / "recorded.jsonl"
    script.write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        open_session(plain_world, record=script)
    assert script.read_text() == "mine"


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    script = tmp_path / "recorded.jsonl"
    pictures: list[Snapshot] = []
    recorder = Recorder(script, Board(Snapshot("plain", "Plain"), pictures.append))

    def accept(forms: str) -> None:
        action = {"kind": "evaluate", "forms": forms}
        for name, fields in (("proposal", {"action": action}), ("attempt", {}), ("accepted", {})):
            recorder.hear(Event(name, 0.0, 0, 0, fields))

    accept("(one)")
    whole = script.read_text()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 20, limits[1]))
    try:
        accept("(two)")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert script.read_text() == whole
    assert "the recording has ended before that" in pictures[-1].notice.text
    accept("(three)")
    assert script.read_text() == whole
