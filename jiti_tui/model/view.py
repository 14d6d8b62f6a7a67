"""What a proposer is shown: the accepted world, the request, and the pause if there is one, at one generation."""

from __future__ import annotations

from jiti_tui.frozen import frozen
from jiti_tui.model.action import Kind

LEGAL_IDLE: frozenset[Kind] = frozenset({"evaluate", "inspect", "finish"})
LEGAL_PAUSED: frozenset[Kind] = frozenset({"repair", "resume", "abandon", "inspect"})
LEGAL_IN_TRANSCRIPTS: frozenset[Kind] = LEGAL_IDLE | {"go-back"}
"""While idle, of recorded answers: the operator's going back is one of them."""


@frozen
class Definition:
    """An accepted definition as its author wrote it, or one of base code, whose `package` and `text` are ""."""

    kind: str
    name: str
    package: str
    text: str
    signature: str = ""
    """Its lambda list, "" where it has none."""
    documentation: str = ""


@frozen
class Datum:
    """An entry of the data table or a variable, its value printed and cut."""

    name: str
    value: str


@frozen
class Check:
    """A goal or an invariant in the accepted world; `ok` is None while unknown."""

    kind: str
    """"goal" or "invariant"."""
    name: str
    ok: bool | None
    detail: str
    """What was seen, or the message of the failure."""
    decides: bool
    """A goal of the current request, or an invariant that holds by now."""
    text: str = ""
    """The predicate's own Lisp text."""


@frozen
class Restart:
    """A line of the live restart menu. `most` None means any number of arguments."""

    id: str
    name: str
    report: str
    least: int
    most: int | None


@frozen
class Frame:
    """A frame of the attempt's own stack."""

    call: str
    place: str


@frozen
class PauseView:
    """A condition that waits. `restarts` and `frames` are those of the innermost level, innermost first."""

    level: int
    type: str
    condition: str
    restarts: tuple[Restart, ...]
    frames: tuple[Frame, ...]
    output: str
    """What the evaluation has printed since the last outcome."""
    definitions: tuple[Definition, ...] = ()
    """Those that the attempt has made so far: they are not accepted."""
    data: tuple[Datum, ...] = ()
    """Those that the attempt has changed so far."""


@frozen
class View:
    """Everything that an answer may rest on. `generation` is what the answer must carry."""

    world: str
    """The world's title."""
    packages: tuple[str, ...]
    generation: int
    revision: int
    request: str
    goals: tuple[str, ...] = ()
    """Names of the goals that decide the request; empty: nothing but `finish` ends it."""
    paused: PauseView | None = None
    definitions: tuple[Definition, ...] = ()
    """The accepted ones, during a pause too."""
    base: tuple[Definition, ...] = ()
    """What base code has defined and no accepted definition has replaced, without texts."""
    data: tuple[Datum, ...] = ()
    checks: tuple[Check, ...] = ()
    outcomes: tuple[str, ...] = ()
    """What became of the latest answers, oldest first, a sentence each."""
    transcript_line: int = 0
    """Lines of the transcript that are used up."""

    @property
    def legal(self) -> frozenset[Kind]:
        """The kinds of action that can be carried out now."""
        return LEGAL_PAUSED if self.paused else LEGAL_IDLE
