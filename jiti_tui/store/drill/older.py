"""A store of an older format that the drill migrates. It is made up: there has been one format so far."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jiti_tui.sexp import Value
from jiti_tui.store.fields import Fields
from jiti_tui.store.layout import MANIFEST
from jiti_tui.store.manifest import Steps
from jiti_tui.store.sealing import sealed, unsealed

OLDER = 0
"""Its manifests have the goals that were met and their total in two fields."""


def _join_goals(fields: Mapping[str, Value]) -> Mapping[str, Value]:
    given = Fields(fields)
    goals: Value = [given.integer("goals_met"), given.integer("goals_total")]
    return {**fields, "goals": goals}


STEPS_FROM_OLDER: Steps = {OLDER: _join_goals}


def make_older(directory: Path) -> None:
    """Turn the manifests of the store in `directory`, of this format, into those of the older one."""
    for path in directory.glob(f"revision-*/{MANIFEST}"):
        lines = unsealed(path.read_bytes()).split(b"\n")
        lines[0] = b"(:format %d" % OLDER
        number = next(number for number, line in enumerate(lines) if line.startswith(b" :goals ("))
        met, total = lines[number].removeprefix(b" :goals (").removesuffix(b")").split()
        lines[number] = b" :goals-met %s :goals-total %s" % (met, total)
        path.unlink()
        path.write_bytes(sealed(b"\n".join(lines)))
