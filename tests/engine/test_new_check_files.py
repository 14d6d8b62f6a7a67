"""Check files that are made while a session is open: an operator's editor makes the first goals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.phase import Phase


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
