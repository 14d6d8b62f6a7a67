"""What the screen calls the proposer: recorded answers are not called a model's."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import Snapshot


def speaker(snapshot: Snapshot) -> str:
    """Return "model", or "transcript" when the answers are recorded."""
    return "transcript" if snapshot.recorded else "model"


def proposer_name(snapshot: Snapshot, *, short: bool = False) -> str:
    """Return the proposer as "openai gpt-5.1", "replay (recorded)" or "no model"; `short` drops the maker."""
    if not snapshot.proposer:
        return "no model"
    first, _, rest = snapshot.proposer.partition(" ")
    if snapshot.recorded:
        return f"{first} (recorded)"
    return rest if short and rest else snapshot.proposer
