"""The picture of a session that clients paint: immutable, complete, and cheap to compare.

The engine publishes a new `Snapshot` whenever one of its parts changes; the tuples are shared between snapshots where
they did not change, so `is` tells a client what to repaint.
"""

from __future__ import annotations

from enum import StrEnum

from jiti_tui.engine.interface.commands import Painted
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.query_results import (
    Compared,
    Completions,
    Looked,
    ReadVerdict,
    ShownFrame,
    ShownRevision,
    TracedCheck,
)
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.engine.interface.usage import NOTHING_SPENT, UNLIMITED, Budget, Usage
from jiti_tui.engine.interface.waiting import Waiting
from jiti_tui.frozen import frozen


class CheckKind(StrEnum):
    """What a predicate is for: a goal is wanted in the end, an invariant must never break."""

    GOAL = "goal"
    INVARIANT = "invariant"


@frozen
class CheckRow:
    """One goal or invariant. `ok` is None while unknown; `detail` is what was seen or the message of a failure."""

    kind: CheckKind
    name: str
    file: str
    line: int
    ok: bool | None = None
    detail: str = ""
    candidate_ok: bool | None = None
    """The verdict in the candidate, None while there is none."""
    candidate_detail: str = ""
    decides: bool = True
    """A goal of the current request, or an invariant that holds by now."""
    text: str = ""
    """Its own source, "" where it is a test of a suite."""


@frozen
class RestartRow:
    """A line of the live restart menu.

    `least` and `most` bound the number of arguments; `most` None means any number.
    """

    id: str
    name: str
    report: str
    least: int
    most: int | None


@frozen
class FrameRow:
    """A frame of the attempt's own stack, innermost first.

    `place` is "proposal", "repair", "definition" or a file; `line` counts from 1 in that, 0 where it is not known.
    """

    call: str
    place: str
    line: int = 0


@frozen
class PauseLevel:
    """A condition that waits: level 0 is the outer evaluation's, level n the n-th repair's inside it."""

    level: int
    type: str
    condition: str
    restarts: tuple[RestartRow, ...] = ()
    """Its menu: only that of the innermost can be chosen from."""
    frames: tuple[FrameRow, ...] = ()


@frozen
class Pause:
    """A paused candidate: its conditions from level 0 up, and the restarts of the innermost."""

    levels: tuple[PauseLevel, ...]
    restarts: tuple[RestartRow, ...]

    @property
    def frames(self) -> tuple[FrameRow, ...]:
        """The whole stack: the frames of the innermost level, then those under it."""
        return tuple(frame for level in reversed(self.levels) for frame in level.frames)


class ChangeSign(StrEnum):
    """How a definition or a datum differs."""

    ADDED = "+"
    CHANGED = "~"
    REMOVED = "-"


@frozen
class Change:
    """One definition or datum that differs between the accepted world and the candidate, as printed text; "" where
    there is none.
    """

    sign: ChangeSign
    kind: str
    name: str
    before: str
    after: str


@frozen
class Outcome:
    """A checked candidate that waits for consent."""

    revision: int
    value: str
    output: str
    warnings: tuple[str, ...]
    definitions: tuple[Change, ...]
    data: tuple[Change, ...]
    steps: tuple[str, ...]
    """How it came about, in order: "evaluate", a condition type, "repair", "0/0 continue", "value"."""
    rationale: str
    verified: bool | None = None
    """The verifier has agreed; None while it is at work, for which consent waits; False when the disk failed."""


@frozen
class RevisionRow:
    """A revision of the history. `time` is seconds since the epoch, `goals` met and total when it was accepted."""

    number: int
    parent: int | None
    summary: str
    request: str
    origin: str
    """Who proposed it: "base", the proposer's name, or "operator"."""
    goals: tuple[int, int]
    time: float
    generation: int
    live: bool = False


class Fate(StrEnum):
    """What became of a proposal."""

    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    ACCEPTED = "accepted"
    TAKEN = "taken"
    """A repair or resume that was carried out, an inspection that was answered."""
    PAUSED = "paused"
    RESTORED = "restored"
    STALE = "stale"
    INVALID = "invalid"
    REJECTED = "rejected"
    ABANDONED = "abandoned"
    CANCELLED = "cancelled"
    LOST = "lost"


@frozen
class ProposalRow:
    """A line of the proposals log, oldest first; `number` is its identity within the log."""

    number: int
    generation: int
    kind: str
    origin: str
    fate: Fate
    reason: str
    rationale: str
    body: str
    """The forms, the expression, or the restart with its arguments."""
    time: float
    tokens: int = 0
    estimated: bool = False
    """No provider has counted the tokens."""
    value: str = ""
    """What the evaluation returned, cut; likewise what it printed and was warned of."""
    output: str = ""
    warnings: tuple[str, ...] = ()


class Severity(StrEnum):
    """How a notice is shown: errors stay until the next key."""

    NEWS = "news"
    ERROR = "error"


@frozen
class Notice:
    """One sentence of news. A higher `number` is a newer one."""

    number: int
    text: str
    severity: Severity = Severity.NEWS
    about: str = ""
    """What it is about, "" where nothing that was told before is over by it: a newer one about the same replaces it."""


@frozen
class RequestRow:
    """The current request: its number from 1 and how many there are."""

    number: int
    total: int
    text: str


@frozen
class Snapshot:
    """The whole session at one moment."""

    world: str
    """The world folder's name."""
    title: str
    phase: Phase = Phase.STARTING
    since: float = 0.0
    """`time.monotonic()` at which the phase was entered."""
    reason: str = ""
    """Why the session is BLOCKED or CLOSED, or what was LOST when RECOVERED; a sentence."""
    mode: Mode = Mode.REVIEW
    holder: str = ""
    """Who has the store, where this session found it held and only reads."""
    revision: int = 0
    generation: int = 0
    attempt: int = 0
    """Number of the attempt under way, or of the last one."""
    proposer: str = ""
    """"replay transcript.jsonl", "openai gpt-5.1", or "" when there is none."""
    recorded: bool = False
    """The proposer answers from a recorded transcript, not a model."""
    costs_money: bool = False
    proposer_busy: bool = False
    held: bool = True
    """The proposer is asked nothing until the operator goes on."""
    rationale: str = ""
    """What the proposer has said of the answer under way."""
    waiting: Waiting | None = None
    """The proposer is asked again after a failure, but not yet."""
    sandboxed: bool = True
    sandbox_reason: str = ""
    sbcl: str = ""
    request: RequestRow | None = None
    next_request: RequestRow | None = None
    checks: tuple[CheckRow, ...] = ()
    pause: Pause | None = None
    suggestion: ProposalRow | None = None
    """The proposal that waits for the operator (asks, paused)."""
    suggested_restart: str = ""
    """The restart id that the suggestion resumes, "" otherwise."""
    suggested_arguments: tuple[str, ...] = ()
    trials: tuple[TrialRow, ...] = ()
    """What would come of answers to this view, oldest first."""
    outcome: Outcome | None = None
    revisions: tuple[RevisionRow, ...] = ()
    """Newest first."""
    lowest_revision: int = 0
    """Those below have been pruned."""
    proposals: tuple[ProposalRow, ...] = ()
    """Oldest first; bounded."""
    usage: Usage = NOTHING_SPENT
    request_usage: Usage = NOTHING_SPENT
    """For the current request, since it began in this session."""
    session_budget: Budget = UNLIMITED
    request_budget: Budget = UNLIMITED
    """Where the session stops and asks."""
    notice: Notice | None = None
    looked: Looked | None = None
    shown_frame: ShownFrame | None = None
    """The frame that the operator looks at, until the pause is left."""
    read_verdict: ReadVerdict | None = None
    """What the reader says of what the operator types."""
    completions: Completions | None = None
    shown_revision: ShownRevision | None = None
    compared: Compared | None = None
    traced: TracedCheck | None = None

    @property
    def painted(self) -> Painted:
        """What a command must carry to act on this picture."""
        return Painted(self.generation, self.attempt, self.phase)
