"""What became of a proposal, in a sign, words and a role."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Fate, ProposalRow
from jiti_tui.tui.pages.verdicts import Verdict
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.roles import Role


def fate(row: ProposalRow, phase: Phase, glyphs: Glyphs) -> Verdict:
    """Return how `row` ended or stands. In `phase`, what waits for the operator is amber."""
    sign, role = _sign(row.fate, phase, glyphs)
    return Verdict(sign, fate_words(row), role)


def fate_words(row: ProposalRow) -> str:
    """Return "accepted as 2", "restored: the reason", "ready"."""
    if not row.reason or row.reason.startswith(row.fate.value):
        return row.reason or row.fate.value
    joined = " " if row.fate in (Fate.ACCEPTED, Fate.PAUSED) else ": "
    return row.fate.value + joined + row.reason


def _sign(what: Fate, phase: Phase, glyphs: Glyphs) -> tuple[str, Role]:
    match what:
        case Fate.ACCEPTED | Fate.TAKEN:
            return glyphs.good, Role.GOOD
        case Fate.WAITING:
            return glyphs.asks, Role.TURN if phase in (Phase.ASKS, Phase.PAUSED) else Role.MUTED
        case Fate.RUNNING:
            return glyphs.working, Role.BUSY
        case Fate.READY:
            return glyphs.turn, Role.TURN if phase is Phase.READY else Role.MUTED
        case Fate.PAUSED:
            return glyphs.paused, Role.TURN if phase is Phase.PAUSED else Role.MUTED
        case Fate.STALE:
            return glyphs.stale, Role.MUTED
        case Fate.REJECTED | Fate.ABANDONED | Fate.CANCELLED:
            return glyphs.dropped, Role.MUTED
        case Fate.RESTORED | Fate.INVALID | Fate.LOST:
            return glyphs.bad, Role.BAD
