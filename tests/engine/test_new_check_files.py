"""Check files that are made while a session is open: an operator's editor makes the first goals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface.phase import Phase


def test_goals_that_are_made_later_are_loaded_when_they_are_saved(
    plain_world: Path, open_session: Callable[..., Any]
) -> None:
    for name in ("goals.lisp", "invariants.lisp"):
        (plain_world / name).unlink()
    operator = open_session(plain_world)
    assert operator.wait(lambda s: s.phase is not Phase.STARTING).checks == ()
    (plain_world / "goals.lisp").write_text('(goal "later" (fboundp (quote f)))\n')
    seen = operator.wait(lambda s: len(s.checks) == 1 and s.checks[0].ok is False)
    assert (seen.checks[0].name, seen.checks[0].text) == ("later", '(goal "later" (fboundp (quote f)))')
    (plain_world / "invariants.lisp").write_text('(invariant "always" t)\n')
    operator.wait(lambda s: [check.name for check in s.checks] == ["later", "always"])


@pytest.mark.parametrize("content", [None, b'(goal "\xff" t)'], ids=["gone", "no text"])
def test_a_file_that_cannot_be_read_is_named(
    content: bytes | None, plain_world: Path, open_session: Callable[..., Any]
) -> None:
    (plain_world / "invariants.lisp").write_text('(invariant "always" t)\n')
    operator = open_session(plain_world)
    before = operator.wait(lambda s: s.phase is not Phase.STARTING)
    if content is None:
        (plain_world / "invariants.lisp").unlink()
    else:
        (plain_world / "invariants.lisp").write_bytes(content)
    operator.wait(lambda s: s.notice is not None and "The last good checks stay" in s.notice.text)
    (reloaded,) = [event for event in operator.events if event.name == "reloaded"]
    assert reloaded.fields["file"] == "invariants.lisp"
    assert reloaded.fields["error"].startswith("invariants.lisp ")
    assert operator.snapshot.generation == before.generation


@pytest.mark.parametrize("content", [None, b'(goal "half'], ids=["gone", "half"])
def test_a_file_that_is_as_it_was_takes_the_complaint_back(
    content: bytes | None, plain_world: Path, open_session: Callable[..., Any]
) -> None:
    goals = plain_world / "goals.lisp"
    good = goals.read_bytes()
    operator = open_session(plain_world)
    before = operator.wait(lambda s: s.phase is not Phase.STARTING)
    if content is None:
        goals.unlink()
    else:
        goals.write_bytes(content)
    told = operator.wait(lambda s: s.notice is not None and "The last good checks stay" in s.notice.text)
    goals.write_bytes(good)
    after = operator.wait(lambda s: s.notice is not None and s.notice.text.startswith("The check files read again"))
    assert told.notice.about == after.notice.about != ""
    assert (after.checks, after.generation) == (before.checks, before.generation)
