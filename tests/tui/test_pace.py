"""How soon snapshots are painted."""

from __future__ import annotations

from typing import Any

import pytest

from jiti_tui.tui.clock import Clock
from jiti_tui.tui.pace import AWAITING_SECONDS, NEWS_A_SECOND, STEPS_A_SECOND, Pace


class Still(Clock):
    at = 100.0

    def monotonic(self) -> float:
        return self.at


def test_steps_are_painted_sooner_than_news_and_answers_as_steps() -> None:
    clock: Any = Still()
    pace = Pace(clock)
    pace.painted(100.0)
    assert pace.wait(step=True) == pytest.approx(1 / STEPS_A_SECOND)
    assert pace.wait(step=False) == pytest.approx(1 / NEWS_A_SECOND)
    pace.pressed()
    assert pace.wait(step=False) == pytest.approx(1 / STEPS_A_SECOND)
    clock.at = 100.0 + AWAITING_SECONDS
    assert pace.wait(step=False) < 0
