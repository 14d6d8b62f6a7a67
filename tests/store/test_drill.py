"""Every mishap at every file operation of everything a store does; and the README's table of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jiti_tui.store.drill.acts import ACTS, Act
from jiti_tui.store.drill.drill import Row, drill
from jiti_tui.store.drill.mishaps import MISHAPS, Mishap
from jiti_tui.store.drill.story import Story

README = (Path(__file__).parents[2] / "README.md").read_text()
KILL = MISHAPS[0]
QUICK = {
    "SIGKILL": {"revert", "prune", "recover"},
    "power lost, any part left, writes torn": {act.name for act in ACTS},
}
"""What `make test` runs. Going back is a publication; the rest of the kills is what losing power has, too."""


def promised() -> dict[str, list[int]]:
    """The rows of the README's table: how often each mishap strikes each act, in order."""
    rows = re.findall(r"^\| ([^|]+) ((?:\| +\d+ )+)\|$", README, re.MULTILINE)
    return {name: [int(count) for count in re.findall(r"\d+", counts)] for name, counts in rows}


def struck(folder: Path, act: Act, mishap: Mishap) -> Row:
    (row,) = drill(folder, acts=[act], mishaps=[mishap])
    return row


ROWS = [
    pytest.param(
        mishap,
        act,
        id=f"{mishap.name}-{act.name}",
        marks=() if act.name in QUICK.get(mishap.name, ()) else pytest.mark.slow,
    )
    for mishap in MISHAPS
    for act in ACTS
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("mishap", "act"), ROWS)
def test_every_mishap_at_every_operation(mishap: Mishap, act: Act, tmp_path: Path) -> None:
    row = struck(tmp_path, act, mishap)
    assert row.lost == ()
    assert row.whole
    assert row.injected == promised()[mishap.name][ACTS.index(act)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_processes_killed_on_the_disk(act: Act, disk: Path) -> None:
    row = struck(disk, act, KILL)
    assert row.lost == ()
    assert row.whole


def test_the_readme_tells_of_every_mishap_and_act() -> None:
    assert list(promised()) == [mishap.name for mishap in MISHAPS]
    assert f"| {' | '.join(act.name for act in ACTS)} |" in README
    assert f"all {sum(sum(counts) for counts in promised().values())} are survived" in README


def test_what_does_not_survive_is_told(tmp_path: Path) -> None:
    act = next(act for act in ACTS if act.name == "recover")

    def forget(directory: Path, story: Story) -> None:
        (directory / "CURRENT").unlink()
        (directory / "CURRENT").write_text("revision-2\n")
        act.check(directory, story)

    row = struck(tmp_path, Act("forget", act.prepare, act.run, forget), MISHAPS[-1])
    assert row.survived == 0
    assert all("names revision-2" in sentence for sentence in row.lost)
