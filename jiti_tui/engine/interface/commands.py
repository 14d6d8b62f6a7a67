"""What a client can ask of the engine. Commands are immutable and cross the thread boundary by message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.frozen import frozen

if TYPE_CHECKING:
    from jiti_tui.engine.interface.snapshot import CheckKind


@frozen
class Painted:
    """What was on screen when a key was pressed. A command whose `Painted` is no longer true is refused as too late."""

    generation: int
    attempt: int
    phase: Phase


@frozen
class Go:
    """Start, or go on after a hold, a block or a recovery: the proposer may be asked from now on."""


@frozen
class Hold:
    """Ask the proposer nothing more until `Go`; what is under way goes on.

    An answer to a pause that is held waits for the operator, whatever the mode.
    """


@frozen
class Stop:
    """Stop the work under way: cancel the call to the proposer, or interrupt the evaluation as a time limit would;
    then hold.
    """


@frozen
class StopLooking:
    """Stop answering what was asked by `Look`, `ShowRevision`, `Compare` and `TraceCheck`, and the trials that run."""


@frozen
class SetMode:
    """Change who consents to what."""

    mode: Mode


@frozen
class AddRequest:
    """Put a request after the current one and make it the current one, once an attempt under way has ended."""

    text: str


@frozen
class NextRequest:
    """Leave the current request and take the next one of the list."""

    painted: Painted


@frozen
class Accept:
    """Consent to the outcome that is ready."""

    painted: Painted


@frozen
class Reject:
    """Refuse the ready outcome or the waiting proposal; the reason (may be empty) is told to the proposer."""

    painted: Painted
    reason: str = ""


@frozen
class TakeSuggestion:
    """Do what the waiting proposal says: run it (asks), or repair, resume or abandon as it says (paused)."""

    painted: Painted


@frozen
class Evaluate:
    """The operator's own attempt: evaluate `forms` for keeps, as one transaction."""

    painted: Painted
    forms: str


@frozen
class Repair:
    """Evaluate `forms` inside the pause."""

    painted: Painted
    forms: str


@frozen
class Resume:
    """Invoke a restart by its live id with arguments, one Lisp datum each."""

    painted: Painted
    restart: str
    arguments: tuple[str, ...] = ()


@frozen
class Abandon:
    """Drop the attempt and all its repairs; the reason (may be empty) is told to the proposer."""

    painted: Painted
    reason: str = ""


@frozen
class Look:
    """Evaluate `expression` in a throwaway fork: it cannot change anything. The answer is the snapshot's `looked`.

    With the index of a frame of the pause, the variables of that frame are those of the expression.
    """

    expression: str
    frame: int | None = None


@frozen
class ReadCheck:
    """Say whether `text`, which is being typed, reads: as forms, or as the one `datum` that a restart is given.

    The answer is the snapshot's `read_verdict`; of texts that follow one another closely the last is answered alone.
    """

    text: str
    datum: bool = False


@frozen
class Complete:
    """Find what a token that begins with `prefix` can name. The answer is the snapshot's `completions`."""

    prefix: str


@frozen
class ShowRevision:
    """Tell how a revision came about. The answer is the snapshot's `shown_revision`."""

    number: int


@frozen
class Compare:
    """Tell what differs between two revisions, or what `after` alone holds. The answer is the snapshot's `compared`."""

    before: int | None
    after: int


@frozen
class TraceCheck:
    """Find the revision since which a check stands as it does. The answer is the snapshot's `traced`."""

    kind: CheckKind
    name: str


@frozen
class ExportRevision:
    """Write a revision as a plain project into `directory`, which is not there yet, or empty."""

    number: int
    directory: str


@frozen
class ShowFrame:
    """Tell all about a frame of the pause: its variables, its text. The answer is the snapshot's `shown_frame`."""

    painted: Painted
    index: int


@frozen
class WhatIf:
    """Try what would come of a restart of the pause, with `forms` as a repair before it unless that is "".

    Nothing of it survives. The answer is a row of the snapshot's `trials`.
    """

    painted: Painted
    restart: str
    arguments: tuple[str, ...] = ()
    forms: str = ""


@frozen
class WhatIfAll:
    """Try every restart of the pause that takes no arguments, as `WhatIf` does."""

    painted: Painted


@frozen
class TryProposals:
    """Evaluate each of several proposals in a candidate of its own, side by side; `TakeTrial` chooses one."""

    painted: Painted
    proposals: tuple[str, ...]


@frozen
class TakeTrial:
    """Go on with the proposal of that row of `trials`, through the ordinary checks and consent; the others go."""

    painted: Painted
    number: int


@frozen
class GoBack:
    """Make the world of an earlier revision the next revision, through the same checks and consent."""

    painted: Painted
    revision: int


@frozen
class Quit:
    """End the session: nothing accepted is lost, what is under way is dropped, no process survives."""


Command = (
    Go
    | Hold
    | Stop
    | StopLooking
    | SetMode
    | AddRequest
    | NextRequest
    | Accept
    | Reject
    | TakeSuggestion
    | Evaluate
    | Repair
    | Resume
    | Abandon
    | Look
    | ReadCheck
    | Complete
    | ShowRevision
    | Compare
    | TraceCheck
    | ExportRevision
    | ShowFrame
    | WhatIf
    | WhatIfAll
    | TryProposals
    | TakeTrial
    | GoBack
    | Quit
)
