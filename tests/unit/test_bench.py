"""The frame of the benchmarks: who goes first, what counts, what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.alternation import alternate
from bench.rows import Row, table, write


async def test_both_sides_take_turns_and_the_warm_up_does_not_count() -> None:
    order: list[str] = []
    seconds: Iterator[float] = iter([9.0, 9.0, 0.001, 0.010, 0.030, 0.003, 0.002, 0.020])

    async def ours() -> float:
        order.append("ours")
        return next(seconds)

    async def theirs() -> float:
        order.append("theirs")
        return next(seconds)

    assert await alternate(ours, theirs, rounds=3) == (2.0, 20.0)
    assert order == ["theirs", "ours", "ours", "theirs", "theirs", "ours", "ours", "theirs"]


def test_the_table_and_the_file_say_the_same(tmp_path: Path) -> None:
    rows = [Row("one", 3.0, "another", 2.0, "at most 1.4 times", met=False), Row("two", 1.0, "a flush", 4.0)]
    lines = table(rows).splitlines()
    assert " ".join(lines[1].split()) == "one 3.00 ms another 2.00 ms 1.50 MISSED: at most 1.4 times"
    assert " ".join(lines[2].split()) == "two 1.00 ms a flush 4.00 ms 0.25"
    write(rows, tmp_path / "results.json")
    assert json.loads((tmp_path / "results.json").read_text())[1] == {
        "name": "two",
        "ours": 1.0,
        "compared_with": "a flush",
        "theirs": 4.0,
        "ratio": 0.25,
        "goal": "",
        "met": None,
        "unit": "ms",
    }
