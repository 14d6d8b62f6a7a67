"""What a session spends, and what limits that."""

from __future__ import annotations

from jiti_tui.frozen import frozen


@frozen
class Usage:
    """What has been spent so far: by the session, or for the current request."""

    attempts: int = 0
    """Attempts begun, and answers that were none."""
    tokens: int = 0
    """Both ways."""
    money: float = 0.0
    """In the currency of the configured prices; 0 where none are."""
    seconds: float = 0.0
    """In which the session worked by itself; what waited for the operator does not count."""
    estimated: int = 0
    """Of the tokens, those that no provider has counted: of calls that were cancelled or broke off, say."""


@frozen
class Budget:
    """Limits of a `Usage`, of which each stops the session and has it ask; None is without limit."""

    attempts: int | None = None
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None


NOTHING_SPENT = Usage()
UNLIMITED = Budget()
