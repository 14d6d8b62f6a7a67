"""What the operator has looked at: answers that change nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Looked:
    """The answer to `Look`: a value, or a condition that was signalled. A higher `number` is a newer one."""

    number: int
    expression: str
    ok: bool
    text: str
    output: str = ""


@dataclass(frozen=True, slots=True)
class LocalRow:
    """A variable of a frame, with its printed value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Completions:
    """The answer to `Complete`: what a token that begins with `prefix` can name, the shortest first."""

    prefix: str
    names: tuple[str, ...]
