"""Recovery is cut off, and so is the recovery of that: what is left is whole all the same."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from jiti_tui.store.drill.acts import ACTS
from jiti_tui.store.drill.power import PowerFiles, PowerLost, one_chance, restart
from jiti_tui.store.drill.story import Story

RECOVER = next(act for act in ACTS if act.name == "recover")


def cut_off(store: Path, at: int, seed: int) -> tuple[Path, bool]:
    """Let power go at operation `at` of recovery; the store as it is afterwards, and whether it came to that."""
    files = PowerFiles(store.parent, at)
    with suppress(PowerLost):
        RECOVER.run(store, files, Story())
    after = store.parent.with_name(f"{store.parent.name}-{at}")
    restart(next(one_chance(files.disk, seed)), after)
    return after / store.name, files.lost


@pytest.mark.parametrize(
    "step", [pytest.param(7, id="every seventh"), pytest.param(1, id="every", marks=pytest.mark.slow)]
)
def test_power_lost_at_every_operation_of_recovery_and_again(step: int, tmp_path: Path) -> None:
    first, lost = 0, True
    while lost:
        first += step
        begun = tmp_path / f"{first}"
        begun.mkdir()
        story = RECOVER.prepare(begun / "store")
        once, lost = cut_off(begun / "store", first, first)
        second, again = 0, True
        while again:
            second += 1
            copy = tmp_path / f"{first}-copy"
            shutil.copytree(once.parent, copy)
            twice, again = cut_off(copy / "store", second, 1000 * first + second)
            RECOVER.check(twice, story)
            shutil.rmtree(copy)
            shutil.rmtree(twice.parent)
        assert second > 2
        shutil.rmtree(begun)
    assert first > 15
