"""Roles of text. Pages speak of roles; a theme says what each looks like."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a run of text is for. The names are those of the theme files."""

    TEXT = "text"
    STRONG = "strong"
    MUTED = "muted"
    GOOD = "good"
    BAD = "bad"
    BUSY = "busy"
    TURN = "turn"
    """It is the operator's turn, and nothing else."""
    KEY = "key"
    BADGE = "badge"
    """The badge and the primary key while it is the operator's turn."""
    BADGE_BUSY = "badge-busy"
    BADGE_MUTED = "badge-muted"
    SELECTION = "selection"
    ALARM = "alarm"
