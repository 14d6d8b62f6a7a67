"""What the kernel says of Lisp while it is typed: whether it reads, and what a name may go on to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.query_results import Completions, ReadVerdict

Open = Callable[..., Any]


def test_what_is_typed_is_read_and_leaves_nothing(plain_world: Path, open_session: Open) -> None:
    operator = open_session(plain_world)
    operator.wait(lambda s: s.phase is not Phase.STARTING)

    def verdict(text: str, *, datum: bool = False) -> ReadVerdict:
        operator.send(commands.ReadCheck(text, datum))
        seen = operator.wait(lambda s: s.read_verdict is not None and s.read_verdict.text == text)
        said = seen.read_verdict
        assert isinstance(said, ReadVerdict)
        return said

    assert verdict("(fresh-name 1) (list 2)") == ReadVerdict("(fresh-name 1) (list 2)", False, True)
    assert verdict("((:food . 0.02))", datum=True).ok
    two = verdict("1 2", datum=True)
    assert (two.ok, two.reason) == (False, "One Lisp datum is wanted here, and no more.")
    open_form = verdict("(list 1\n  (car")
    assert (open_form.ok, open_form.line) == (False, 1)
    unknown = verdict("(list\n  (nowhere:f))")
    assert (unknown.ok, unknown.line > 0) == (False, True)
    argument = verdict("  nowhere:f", datum=True)
    assert (argument.ok, argument.line) == (False, 1)
    refused = verdict('(sb-ext:run-program "ls" ())')
    assert not refused.ok
    operator.send(commands.Look('(find-symbol "FRESH-NAME")'))
    assert operator.wait(lambda s: s.looked is not None).looked.text == "NIL"


@pytest.mark.parametrize(
    ("prefix", "first"),
    [
        ("row", "row-major-aref"),
        ("multiple-value-b", "multiple-value-bind"),
        ("tot", "total"),
        ("jiti:val", "jiti:value"),
        ("no-such-", None),
        ("nowhere:f", None),
    ],
)
def test_names_of_the_world_come_from_the_kernel(
    prefix: str, first: str | None, plain_world: Path, open_session: Open
) -> None:
    operator = open_session(plain_world)
    operator.send(commands.Evaluate(operator.wait(lambda s: s.phase is not Phase.STARTING).painted, "(defun total ())"))
    operator.wait_for(Phase.READY)
    operator.send(commands.Complete(prefix))
    found = operator.wait(lambda s: s.completions is not None).completions
    assert isinstance(found, Completions)
    assert (found.names[0] if found.names else None) == first
