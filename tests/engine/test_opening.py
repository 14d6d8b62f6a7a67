"""What happens while a session opens, and what it is asked that it cannot do."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine import opening
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.store.store import Store

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


def test_of_two_failures_at_the_start_one_is_told_and_none_is_written_over_the_picture(
    plain_world: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JITI_SBCL", "/nowhere/sbcl")
    held = Store.open(plain_world / "store")
    operator = open_session(plain_world)
    assert "is in use by" in operator.wait_for(Phase.CLOSED).reason
    held.close()
    operator.quit()
    gc.collect()
    assert capfd.readouterr().err == ""


def test_what_fails_where_nobody_waits_is_told_and_kept(plain_world: Path, open_session: Open) -> None:
    def fail() -> None:
        asyncio.get_running_loop().create_future().set_exception(ZeroDivisionError("of nothing"))
        gc.collect()

    operator = open_session(plain_world)
    operator.wait(lambda s: s.phase is not Phase.STARTING)
    operator.engine._loop.call_soon_threadsafe(fail)
    told = operator.wait(lambda s: s.notice is not None and "ZeroDivisionError" in s.notice.text).notice
    assert told.text == "A defect of jiti-tui: ZeroDivisionError: of nothing"
    assert "ZeroDivisionError: of nothing" in (plain_world / "store" / "events.sexp").read_text()
