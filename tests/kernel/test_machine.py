"""What this machine runs worlds with, found when it is asked for, or ahead of that."""

from __future__ import annotations

import pytest

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.machine import find_machine, look_ahead


async def test_what_was_found_ahead_is_what_would_be_found() -> None:
    look_ahead()
    ahead = await find_machine()
    assert ahead == await find_machine()


async def test_it_is_taken_once_and_so_is_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("JITI_SBCL", "/nowhere/sbcl")
        look_ahead()
        with pytest.raises(WorkerError, match="/nowhere/sbcl"):
            await find_machine()
    sbcl, _ = await find_machine()
    assert sbcl.runtime.is_file()
