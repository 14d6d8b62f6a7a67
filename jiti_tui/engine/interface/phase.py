"""Where a session stands, and who consents to what."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """The state of the session, one at a time. `Snapshot.phase` says which."""

    STARTING = "starting"
    NEW = "new"
    """Nothing has been sent to a proposer yet; the operator starts."""
    HELD = "held"
    """Idle: the proposer is asked nothing until the operator goes on."""
    THINKING = "thinking"
    """Idle or paused work waits for the proposer's answer (paused work stays PAUSED with `proposer_busy`)."""
    ASKS = "asks"
    """A proposal waits for the operator before it runs."""
    TRYING = "trying"
    PAUSED = "paused"
    CHECKING = "checking"
    READY = "ready"
    """A checked outcome waits for consent; the verifier may still be at work."""
    PUBLISHING = "publishing"
    MET = "met"
    """All goals of the current request pass; the operator takes the next request."""
    RECOVERED = "recovered"
    """Opened on a store whose last session was cut off; the operator goes on."""
    BLOCKED = "blocked"
    """Cannot go on by itself: `Snapshot.reason` says why, `Go` tries again."""
    READING = "reading"
    """Beside another session: it shows what that accepts, and changes nothing."""
    CLOSED = "closed"


class Mode(StrEnum):
    """Who consents.

    REVIEW: outcomes and choices in a pause wait for the operator. ASK: every proposal waits. AUTO: nothing waits.
    """

    REVIEW = "review"
    ASK = "ask"
    AUTO = "auto"
    READ_ONLY = "read-only"
    """Nobody: the session holds no lock and only reads. It is chosen when a session is opened, never in it."""
