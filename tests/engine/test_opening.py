"""What happens while a session opens, and what it is asked that it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine import opening
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]


def test_checks_saved_while_the_session_opens_are_read(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = opening._choose_proposer

    def save_and_choose(session: Any) -> None:
        (plain_world / "goals.lisp").write_text('(goal "late" t)')
        choose(session)

    monkeypatch.setattr(opening, "_choose_proposer", save_and_choose)
    operator = open_session(plain_world)
    snapshot = operator.wait(lambda s: [row.name for row in s.checks] == ["late"])
    assert snapshot.generation == 1


@pytest.mark.parametrize("text", ["", " \n", "a\x1b[31m", "x" * 10_001])
def test_a_request_that_is_none_is_refused_and_the_session_goes_on(
    text: str, plain_world: Path, open_session: Open
) -> None:
    operator = open_session(plain_world)
    operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.send(commands.AddRequest(text))
    snapshot = operator.wait(lambda s: s.notice is not None)
    assert snapshot.notice.text.startswith("The request cannot be taken: ")
    assert snapshot.phase is not Phase.CLOSED
