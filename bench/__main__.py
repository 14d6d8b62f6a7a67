"""`make bench`: measures everything, prints a table and writes the same rows to bench-results.json."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bench import (
    cancelling,
    first_paint,
    harlequin,
    heaps,
    large_table,
    opening,
    prompts,
    publication,
    restored_attempt,
    rivals,
    screen,
    states,
    thousand,
    usual_loop,
    what_if,
)
from bench.rows import Row, table, write
from jiti_tui.errors import JitiError

SUBJECTS = (
    first_paint,
    restored_attempt,
    heaps,
    usual_loop,
    what_if,
    publication,
    large_table,
    opening,
    rivals,
    screen,
    states,
    harlequin,
    thousand,
    prompts,
    cancelling,
)
RESULTS = Path("bench-results.json")


async def measure() -> list[Row]:
    """All rows, one subject after the other."""
    rows: list[Row] = []
    for subject in SUBJECTS:
        print(f"measuring: {subject.__name__.rpartition('.')[2].replace('_', ' ')}", file=sys.stderr)
        rows += await subject.measure()
    return rows


if __name__ == "__main__":
    try:
        results = asyncio.run(measure())
    except JitiError as error:
        sys.exit(f"bench: {error}")
    print(table(results))
    write(results, RESULTS)
