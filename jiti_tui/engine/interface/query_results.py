"""What the operator has looked at: answers that change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jiti_tui.frozen import frozen

if TYPE_CHECKING:
    from jiti_tui.engine.interface.snapshot import Change, CheckKind


@frozen
class Looked:
    """The answer to `Look`: a value, or a condition that was signalled. A higher `number` is a newer one."""

    number: int
    expression: str
    ok: bool
    text: str
    output: str = ""


@frozen
class LocalRow:
    """A variable of a frame, with its printed value."""

    name: str
    value: str


@frozen
class ShownFrame:
    """The answer to `ShowFrame`: all that is known of the frame at `index` of the pause of `generation`.

    `text` is the form that its code was compiled from, "" for code of a file; it begins in line `first` of `place`, and
    the frame stands in `line`, 0 where that is not known.
    """

    generation: int
    index: int
    call: str
    place: str
    line: int
    text: str
    first: int
    locals: tuple[LocalRow, ...]


@frozen
class ReadVerdict:
    """The answer to `ReadCheck`: `text` reads, or why it does not.

    `line` counts from 1, 0 where no place is known; `column` counts from 0.
    """

    text: str
    datum: bool
    ok: bool
    reason: str = ""
    line: int = 0
    column: int = 0


@frozen
class ShownRevision:
    """The answer to `ShowRevision`: how revision `number` came about, in `lines`, of which `left` more are not here.

    `reason` says why it cannot be read, "" where it can.
    """

    number: int
    lines: tuple[str, ...]
    reason: str = ""
    left: int = 0


@frozen
class Compared:
    """The answer to `Compare`: what `after` holds otherwise than `before`; all that it holds where that is None.

    `reason` says why they cannot be compared, "" where they can.
    """

    before: int | None
    after: int
    changes: tuple[Change, ...]
    reason: str = ""


@frozen
class TracedCheck:
    """The answer to `TraceCheck`: whether the check passes as revisions have it, and since which one.

    `since` is None where no revision has asked it. `before` is the last revision that said otherwise, None where none
    did, and `seen` what was seen then.
    """

    kind: CheckKind
    name: str
    ok: bool | None
    since: int | None
    before: int | None = None
    seen: str = ""


@frozen
class Completions:
    """The answer to `Complete`: what a token that begins with `prefix` can name, the shortest first."""

    prefix: str
    names: tuple[str, ...]
