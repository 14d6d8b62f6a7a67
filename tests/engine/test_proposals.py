"""The log of proposals: what a store's log says of them after a restart."""

from __future__ import annotations

from typing import Any

from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.proposals import MAX_CHARACTERS, ProposalLog
from jiti_tui.engine.interface.snapshot import Fate


def read(*events: tuple[str, dict[str, Any]]) -> list[Fate]:
    log = ProposalLog()
    for name, fields in events:
        log.see(Event(name, 0.0, 1, 0, fields))
    log.end_of_past()
    return [row.fate for row in log.rows]


def test_suggestion_that_the_operator_passed_over_is_rejected_not_lost() -> None:
    fates = read(
        ("proposal", {"action": {"kind": "evaluate", "forms": "(receipt 1)"}}),
        ("attempt", {"number": 1}),
        ("paused", {"level": 0}),
        ("proposal", {"action": {"kind": "repair", "forms": "(defun receipt (x) x)"}}),
        ("proposal", {"action": {"kind": "resume", "restart": "0/1", "arguments": ["list"]}}),
        ("resumed", {"restart": "0/1"}),
        ("accepted", {}),
    )
    assert fates == [Fate.ACCEPTED, Fate.REJECTED, Fate.ACCEPTED]


def test_what_a_session_left_undecided_is_lost() -> None:
    fates = read(
        ("proposal", {"action": {"kind": "evaluate", "forms": "(receipt 1)"}}),
        ("attempt", {"number": 1}),
        ("paused", {"level": 0}),
        ("proposal", {"action": {"kind": "repair", "forms": "(defun receipt (x) x)"}}),
        ("closed", {}),
        ("session", {}),
        ("proposal", {"action": {"kind": "evaluate", "forms": "(defun receipt (x) x)"}}),
        ("invalid", {"reason": "no"}),
    )
    assert fates == [Fate.LOST, Fate.LOST, Fate.INVALID]


def test_a_row_keeps_what_came_of_it_and_all_rows_together_are_bounded() -> None:
    log = ProposalLog()

    def see(name: str, **fields: Any) -> None:
        log.see(Event(name, 0.0, 1, 0, fields))

    see("proposal", action={"kind": "evaluate", "forms": "(f)"})
    see("value", value="v" * 5000, output="printed", warnings=["odd"] * 20)
    (row,) = log.rows
    assert row.value.endswith("vv... (3000 characters more, cut)")
    assert (row.output, len(row.warnings)) == ("printed", 10)
    for _ in range(9):
        see("proposal", action={"kind": "evaluate", "forms": "x" * (MAX_CHARACTERS // 4 - 100)})
    assert [row.number for row in log.rows] == [7, 8, 9, 10]
