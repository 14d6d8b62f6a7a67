"""What the operator asks about revisions: how they came about, what differs, since when a check stands as it does."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.query_results import Compared, ShownRevision, TracedCheck
from jiti_tui.engine.interface.snapshot import ChangeSign, CheckKind, Severity

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("accepted") / "world"


@pytest.fixture
def operator(sales_tax: Path, accepted: Path, jiti: Callable[..., Any], open_session: Open) -> Any:
    """A session that only reads the demo world with its revisions 0 to 3."""
    if not accepted.exists():
        assert jiti("run", sales_tax, "--unsandboxed").returncode == 0
        shutil.copytree(sales_tax, accepted)
    shutil.copytree(accepted, sales_tax, dirs_exist_ok=True)
    reading = open_session(sales_tax, mode=Mode.READ_ONLY)
    reading.wait_for(Phase.READING)
    return reading


def test_a_revision_tells_how_it_came_about(operator: Any) -> None:
    operator.send(commands.ShowRevision(3))
    shown: ShownRevision = operator.wait(lambda s: s.shown_revision is not None).shown_revision
    assert (shown.number, shown.reason, shown.left) == (3, "", 0)
    told = "\n".join(shown.lines)
    for text in ("paused at level 0: UNDEFINED-FUNCTION", "resumed by 0/0", "restored: invariant", "(defun receipt"):
        assert text in told
    operator.send(commands.ShowRevision(99))
    missing = operator.wait(lambda s: s.shown_revision.number == 99).shown_revision
    assert missing.lines == ()
    assert "99" in missing.reason


def test_two_revisions_differ_by_name(operator: Any) -> None:
    operator.send(commands.Compare(1, 3))
    compared: Compared = operator.wait(lambda s: s.compared is not None).compared
    assert compared.reason == ""
    assert {(change.sign, change.name.lower()) for change in compared.changes} == {
        (ChangeSign.CHANGED, "sales-tax"),
        (ChangeSign.CHANGED, "total-price"),
        (ChangeSign.ADDED, "receipt"),
    }
    operator.send(commands.Compare(None, 1))
    whole = operator.wait(lambda s: s.compared.after == 1).compared
    assert [change.sign for change in whole.changes] == [ChangeSign.ADDED, ChangeSign.ADDED]
    operator.send(commands.Compare(0, 99))
    assert "99" in operator.wait(lambda s: s.compared.after == 99).compared.reason


@pytest.mark.parametrize(
    ("kind", "name", "since", "before"),
    [
        (CheckKind.GOAL, "food total is 102.00", 3, None),
        (CheckKind.GOAL, "8%: 100.00 costs 108.00", 2, None),
        (CheckKind.INVARIANT, "tax and total come together", 1, None),
        (CheckKind.GOAL, "nowhere", None, None),
    ],
)
def test_a_check_is_traced_to_the_revision_that_flipped_it(
    operator: Any, kind: CheckKind, name: str, since: int | None, before: int | None
) -> None:
    operator.send(commands.TraceCheck(kind, name))
    traced: TracedCheck = operator.wait(lambda s: s.traced is not None and s.traced.name == name).traced
    assert (traced.since, traced.before) == (since, before)


def test_a_revision_is_exported_into_a_new_directory_alone(operator: Any, tmp_path: Path) -> None:
    target = tmp_path / "out"
    operator.send(commands.ExportRevision(2, str(target)))
    told = operator.wait(lambda s: s.notice is not None and str(target) in s.notice.text).notice
    assert told.text.startswith("Wrote revision 2 to ")
    assert list(target.glob("*.asd"))
    operator.send(commands.ExportRevision(2, str(target)))
    refused = operator.wait(lambda s: s.notice.number > told.number).notice
    assert (refused.severity, "not empty" in refused.text) == (Severity.ERROR, True)
