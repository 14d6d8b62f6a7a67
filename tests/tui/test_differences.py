"""Differences, one below the other and side by side; what is out of a checkpoint's reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jiti_tui.engine.interface.snapshot import Change, ChangeSign, Snapshot
from jiti_tui.engine.interface.usage import Budget, Usage
from jiti_tui.tui.pages.differences import in_brief, in_full
from jiti_tui.tui.state.view import Sheet, View
from jiti_tui.tui.text.diff import paired
from jiti_tui.tui.text.glyphs import UNICODE
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper

Rows = Callable[..., list[str]]
BEFORE = "(defun f (x)\n  (one x)\n  (two x))"
AFTER = "(defun f (x)\n  (three x)\n  (four x)\n  (two x))"
CHANGE = Change(ChangeSign.CHANGED, "function", "F", BEFORE, AFTER)


def written(lines: list[Line]) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in lines]


def test_what_was_removed_stands_beside_what_came_in_its_place() -> None:
    pairs = list(paired([(" ", "a"), ("-", "b"), ("+", "c"), ("+", "d"), (" ", "e"), ("-", "f")]))
    assert pairs == [
        ((" ", "a"), (" ", "a")),
        (("-", "b"), ("+", "c")),
        (None, ("+", "d")),
        ((" ", "e"), (" ", "e")),
        (("-", "f"), None),
    ]


def test_a_difference_stands_side_by_side_where_there_is_room() -> None:
    wide = written(in_brief(CHANGE, Paper(120, UNICODE)))
    assert wide == [
        f"  {'(defun f (x)':<58}  (defun f (x)",
        f" -{'  (one x)':<58} +  (three x)",
        f" {'':<59} +  (four x)",
        f"  {'  (two x))':<58}    (two x))",
    ]
    narrow = written(in_brief(CHANGE, Paper(119, UNICODE)))
    assert narrow == ["  (defun f (x)", " -  (one x)", " +  (three x)", " +  (four x)", "    (two x))"]


def test_in_full_nothing_is_cut() -> None:
    long = replace(CHANGE, after=f"(defun f (x) {'y' * 200})")
    for width in (60, 120):
        assert "".join(written(in_full(long, Paper(width, UNICODE)))).count("y") == 200


def test_the_review_is_side_by_side_from_160_columns_on(rows: Rows) -> None:
    def beside(width: int, **fields: object) -> bool:
        wide = rows("ready", width, 50, **fields)
        return any("-  (+ price" in row and "+  (let ((rate" in row for row in wide)

    changes = View().open(Sheet.CHANGES, "ready 8 8")
    assert beside(160)
    assert beside(160, view=changes)
    assert not beside(159)
    assert not beside(159, view=changes)


def test_what_is_out_of_reach_is_told(rows: Rows, states: dict[str, Snapshot]) -> None:
    assert any("out of reach nothing" in row for row in rows("ready"))
    open_world = " ".join(row.strip() for row in rows(replace(states["ready"], sandboxed=False)))
    assert "out of reach NOT SANDBOXED: other files, the network and other processes are not restored" in open_world


def test_blocks_and_files_are_named_like_other_data(rows: Rows, states: dict[str, Snapshot]) -> None:
    outcome = states["ready"].outcome
    assert outcome is not None
    data = tuple(
        Change(ChangeSign.CHANGED, kind, name, "1", "2") for kind, name in (("block", "*t*"), ("file", "a/b.txt"))
    )
    text = rows(replace(states["ready"], outcome=replace(outcome, data=data)))
    assert any(row.startswith(" data         ~2 *t* a/b.txt") for row in text)


def test_the_status_row_tells_of_limits(rows: Rows, states: dict[str, Snapshot]) -> None:
    limits = Budget(tokens=200_000, money=1.0)
    spent = replace(states["thinking"], usage=Usage(3, 5200, 0.04), session_budget=limits)
    assert "  5.2k of 200k tokens  0.04 of 1.00 spent  sandboxed  3 attempts" in rows(spent, 120, 40)[1]
    assert any(
        row.startswith(" the session  3 attempts, 5.2k of 200k tokens, 0.04 of 1.00 spent") for row in rows(spent)
    )
    partly = replace(spent, usage=Usage(3, 5200, 0.04, estimated=200))
    assert "  ~5.2k of 200k tokens  ~0.04 of 1.00 spent  " in rows(partly, 120, 40)[1]
    of_request = replace(spent, session_budget=Budget(), request_budget=Budget(attempts=20), request_usage=Usage(2))
    assert "  2 of 20 attempts" in rows(of_request)[1]
    new = replace(states["new"], session_budget=limits)
    assert any("(costs money; budget 200k tokens, 1.00)" in row for row in rows(new))
