"""What workers answer, as records. `docs/wire.md` defines the messages that they come from."""

from __future__ import annotations

from jiti_tui.frozen import frozen


class Reply:
    """Whatever a worker answers with one message."""

    __slots__ = ()


@frozen
class Refused(Reply):
    """The worker cannot serve the request in its state; nothing has changed."""

    reason: str


@frozen
class Failed(Reply):
    """A fork, a load, an import or an export failed. `line` is 0, the others "", where they say nothing."""

    reason: str
    file: str
    line: int
    type: str
    path: str


@frozen
class Done(Reply):
    """The answer that says no more than that it was done: opened, loaded, received, imported."""


@frozen
class Kept(Reply):
    """Those `blocks` of data, by name, that need not be read again."""

    blocks: tuple[str, ...]


@frozen
class Forked(Reply):
    """A child was made; `pid` is its number in the worker's own namespace."""

    pid: int


@frozen
class Swept(Reply):
    """Every child of the keeper that was not in the list is dead; `killed` has their numbers."""

    killed: int


@frozen
class Restored(Reply):
    """The world goes on: no attempt is under way."""


@frozen
class Adopted(Reply):
    """The world bears this revision and this generation."""

    revision: int
    generation: int


@frozen
class Stale(Reply):
    """The request bore another generation than the worker's, which is `generation`. Nothing has changed."""

    generation: int


@frozen
class Invalid(Reply):
    """A text does not read or the policy refuses it; nothing of it ran. `line` and `column` are 0 where unknown."""

    reason: str
    line: int
    column: int


@frozen
class Value(Reply):
    """An outcome: the evaluation returned. `value` is printed, `dropped` the characters of output beyond the bound."""

    generation: int
    value: str
    output: str
    dropped: int
    warnings: tuple[str, ...]


@frozen
class Restart:
    """A live restart: it takes from `least` to `most` arguments, any number of them when `most` is None."""

    id: str
    name: str
    report: str
    least: int
    most: int | None


@frozen
class Frame:
    """A frame of the attempt's own stack: where its code comes from, and the line in that from 1, 0 where unknown.

    `place` is "proposal" or "repair" for what this attempt evaluates, "definition" for what was accepted before, whose
    lines are those of its own text, or the name of a file.
    """

    call: str
    place: str
    line: int


@frozen
class Paused(Reply):
    """An outcome: a condition was signalled, and its stack is alive. Restarts and frames are innermost first."""

    generation: int
    level: int
    type: str
    condition: str
    output: str
    dropped: int
    warnings: tuple[str, ...]
    restarts: tuple[Restart, ...]
    frames: tuple[Frame, ...]


@frozen
class Repaired(Reply):
    """An outcome: the repair returned; the pause under it goes on, with `restarts` as its menu."""

    generation: int
    value: str
    output: str
    dropped: int
    warnings: tuple[str, ...]
    restarts: tuple[Restart, ...]


@frozen
class Resumed(Reply):
    """The restart was taken; an outcome follows."""

    generation: int
    restart: str
    name: str


@frozen
class Abandoned(Reply):
    """The attempt is dropped, and its process ends."""

    generation: int


@frozen
class Dropped(Reply):
    """The latest repair is dropped, and the process that has evaluated it ends."""

    generation: int


@frozen
class Accepted(Reply):
    """The candidate is the world."""

    revision: int
    generation: int


@frozen
class Checked(Reply):
    """The verdict of one goal or invariant; `detail` is what was seen, or why it failed."""

    ok: bool
    detail: str


@frozen
class Inspected(Reply):
    """The expression returned `value`, printed, after printing `output`."""

    value: str
    output: str


@frozen
class Signalled(Reply):
    """The expression signalled a condition instead, after printing `output`."""

    condition: str
    type: str
    output: str = ""


@frozen
class Reads(Reply):
    """What is typed reads, as so many `forms`."""

    forms: int


@frozen
class Names(Reply):
    """Names that what is typed may go on to, as the world prints them."""

    names: tuple[str, ...]


@frozen
class Local:
    """A variable of a frame and its printed value."""

    name: str
    value: str


@frozen
class Framed(Reply):
    """A frame with all that is known of it. `text` is the form that its code was compiled from, and begins in line
    `first` of `place`; it is "" for code of a file.
    """

    frame: Frame
    text: str
    first: int
    locals: tuple[Local, ...]


@frozen
class IndexedCheck:
    """A goal or an invariant of a check file, with its own text.

    `suite` is the common name of the tests that one form of the file stands for, "" for a check of its own. Where the
    suite is missing, one check bears that name and fails.
    """

    kind: str
    name: str
    line: int
    text: str
    suite: str


@frozen
class Indexed(Reply):
    """The checks of a file, in order."""

    checks: tuple[IndexedCheck, ...]


@frozen
class Unreadable(Reply):
    """A check file does not read."""

    file: str
    line: int
    reason: str
