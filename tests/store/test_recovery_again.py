"""What a store does is cut off, and so is the recovery from that: what is left is whole all the same."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from jiti_tui.store.drill.acts import ACTS, Act
from jiti_tui.store.drill.power import PowerFiles, PowerLost, one_chance, restart
from jiti_tui.store.drill.story import Story

BY_NAME = {act.name: act for act in ACTS}
RECOVER, MIGRATE = BY_NAME["recover"], BY_NAME["migrate"]


def cut_off(act: Act, store: Path, story: Story, at: int, seed: int) -> tuple[Path, bool]:
    """Let power go at operation `at` of `act`; the store as it is afterwards, and whether it came to that."""
    files = PowerFiles(store.parent, at)
    with suppress(PowerLost):
        act.run(store, files, story)
    after = store.parent.with_name(f"{store.parent.name}-{at}")
    restart(next(one_chance(files.disk, seed)), after)
    return after / store.name, files.lost


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("act", "again", "step"),
    [
        pytest.param(RECOVER, RECOVER, 7, id="recover, every seventh"),
        pytest.param(RECOVER, RECOVER, 1, id="recover", marks=pytest.mark.slow),
        pytest.param(BY_NAME["revert"], RECOVER, 1, id="revert", marks=pytest.mark.slow),
        pytest.param(BY_NAME["prune"], RECOVER, 1, id="prune", marks=pytest.mark.slow),
        pytest.param(MIGRATE, MIGRATE, 12, id="migrate, every twelfth", marks=pytest.mark.slow),
    ],
)
def test_power_lost_at_every_operation_and_again_while_that_is_recovered_from(
    act: Act, again: Act, step: int, tmp_path: Path
) -> None:
    first, lost = 0, True
    while lost:
        first += step
        begun = tmp_path / f"{first}"
        begun.mkdir()
        story = act.prepare(begun / "store")
        once, lost = cut_off(act, begun / "store", story, first, first)
        second, lost_again = 0, True
        while lost_again:
            second += 1
            copy = tmp_path / f"{first}-copy"
            shutil.copytree(once.parent, copy)
            twice, lost_again = cut_off(again, copy / "store", Story(), second, 1000 * first + second)
            act.check(twice, story)
            shutil.rmtree(copy)
            shutil.rmtree(twice.parent)
        assert second > 2
        shutil.rmtree(begun)
    assert first > 15
