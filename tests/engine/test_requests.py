"""Which request is current, and which have begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jiti_tui.engine.interface.phase import Phase

Open = Callable[..., Any]


def test_requests_of_the_command_line_come_first_where_nothing_has_begun(sales_tax: Path, open_session: Open) -> None:
    """A store that holds no more than the base has begun no request, in its first session and in later ones."""
    for _ in range(2):
        operator = open_session(sales_tax, requests=("Greet.", "Part."))
        snapshot = operator.wait_for(Phase.NEW)
        assert (snapshot.request.number, snapshot.request.total, snapshot.request.text) == (1, 2, "Greet.")
        deciding = [row.name for row in snapshot.checks if row.kind == "invariant" and row.decides]
        assert deciding == ["tax and total come together"]
        operator.quit()
