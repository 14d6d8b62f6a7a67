"""One line of the results: ours, what it is compared with, and the ratio of the two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from jiti_tui.frozen import frozen


@frozen
class Row:
    """Two medians, in milliseconds unless `unit` says otherwise.

    `theirs` is None where there is nothing to compare with. `met` is None where no goal applies; `remark` says which
    goal, or why none does.
    """

    name: str
    ours: float
    compared_with: str
    theirs: float | None
    remark: str = ""
    met: bool | None = None
    unit: str = "ms"

    @property
    def ratio(self) -> float | None:
        """How many times longer ours takes, None where there is nothing to compare with."""
        if self.theirs is None:
            return None
        if self.theirs == 0:
            return 1.0 if self.ours == 0 else float("inf")
        return self.ours / self.theirs


def table(rows: Sequence[Row]) -> str:
    """The rows as text: name, ours, compared with, ratio, and the goal."""
    verdicts = {None: "", True: "met: ", False: "MISSED: "}
    cells = [("name", "ours", "compared with", "theirs", "ratio", "goal")]
    cells += [
        (
            row.name,
            f"{row.ours:.2f} {row.unit}",
            row.compared_with,
            "-" if row.theirs is None else f"{row.theirs:.2f} {row.unit}",
            "-" if row.ratio is None else f"{row.ratio:.2f}",
            verdicts[row.met] + row.remark,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    numeric = {1, 3, 4}
    return "\n".join(
        "  ".join(
            text.rjust(width) if column in numeric else text.ljust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def write(rows: Sequence[Row], path: Path) -> None:
    """Writes the rows as a JSON array of objects with the names of the table's columns."""
    records = [
        {
            "name": row.name,
            "ours": row.ours,
            "compared_with": row.compared_with,
            "theirs": row.theirs,
            "unit": row.unit,
            "ratio": row.ratio,
            "goal": row.remark,
            "met": row.met,
        }
        for row in rows
    ]
    path.write_text(json.dumps(records, indent=2) + "\n")
