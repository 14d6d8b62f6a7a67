"""What is said of command lines that are none."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Jiti = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("arguments", "told", "tried"),
    [
        ([], "jiti-tui: name a world folder, or a command", "jiti-tui --help"),
        (["rnu", "world"], "jiti-tui: 'rnu' is neither a command nor a world folder; write run if", "jiti-tui --help"),
        (["x" * 5000, "world"], "is neither a command nor a world folder\n", "jiti-tui --help"),
        (["run", "world", "--mode", "auto"], "jiti-tui run: run takes no --mode auto\n", "jiti-tui run --help"),
        (["doctor", "more"], "jiti-tui doctor: doctor takes no more\n", "jiti-tui doctor --help"),
        (["run"], "jiti-tui run: the following arguments are required: WORLD\n", "jiti-tui run --help"),
    ],
)
def test_what_is_wrong_and_where_help_is(arguments: list[str], told: str, tried: str, jiti: Jiti) -> None:
    ended = jiti(*arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert told in ended.stderr
    assert ended.stderr.endswith(f"\nTry: {tried}\n")


def test_a_world_that_is_there_takes_no_second_one(sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti(sales_tax, "more")
    assert ended.returncode == 2
    assert ended.stderr == "jiti-tui open: open takes no more\nTry: jiti-tui open --help\n"
