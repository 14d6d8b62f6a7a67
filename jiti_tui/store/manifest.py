"""The manifest: what a revision is, how it came about, and the hashes that show it whole."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TypeAlias

from jiti_tui import __version__
from jiti_tui.file_names import name_problem
from jiti_tui.frozen import frozen
from jiti_tui.sexp import Value, Writable, dumps, loads, plist
from jiti_tui.store.fields import Fields
from jiti_tui.store.layout import FILES, block_name
from jiti_tui.store.record import Record, encode, to_sexp
from jiti_tui.store.sealing import SealError, sealed, unsealed

FORMAT = 1
Steps: TypeAlias = Mapping[int, Callable[[Mapping[str, Value]], Mapping[str, Value]]]
"""By an older format, what turns the fields of its manifests into those of the next one; ValueError when it cannot."""
MAX_EVIDENCE = 8 * 1024 * 1024
"""Bytes of a manifest's events; what reads manifests takes twice as much."""

_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")
_EVENTS = b"\n :events "


@frozen
class FileEntry:
    """A file of a revision: its name, its length in bytes, and the SHA-256 of its content in hexadecimal."""

    name: str
    size: int
    sha256: str

    @classmethod
    def of(cls, name: str, content: bytes) -> FileEntry:
        """The entry of a file that holds `content`."""
        return cls(name, len(content), hashlib.sha256(content).hexdigest())


@frozen
class Manifest:
    """One revision. `Staged.manifest` makes it, so that identity and files are those that were written.

    `base` maps the base files of the world folder to the SHA-256 of their content. `events` are records of how the
    revision came about. `goals` are met and total, `time` is seconds since the epoch, both as of acceptance; times are
    kept to the microsecond.
    """

    revision: int
    parent: int | None
    id: str
    generation: int
    request: str
    transcript_line: int
    sbcl: str
    kernel: str
    base: Mapping[str, str]
    files: tuple[FileEntry, ...]
    events: tuple[Record, ...]
    time: float
    summary: str
    origin: str
    goals: tuple[int, int]
    jiti: str = __version__
    """The version of jiti-tui that wrote it, "" where it does not say."""

    def file(self, name: str) -> FileEntry | None:
        """The entry of the file `name`."""
        return next((entry for entry in self.files if entry.name == name), None)

    @property
    def blocks(self) -> dict[str, FileEntry]:
        """The blocks of the revision's data by their names."""
        named = {block_name(entry.name): entry for entry in self.files}
        return {name: entry for name, entry in named.items() if name is not None}


def bounded(events: Iterable[Record]) -> tuple[Record, ...]:
    """The newest of `events` that fit into a manifest; a first record `dropped` counts those that do not."""
    kept: list[Record] = []
    room = MAX_EVIDENCE
    given = list(events)
    for event in reversed(given):
        room -= len(encode(event))
        if room < 0:
            kept.append({"event": "dropped", "records": len(given) - len(kept)})
            break
        kept.append(event)
    return tuple(reversed(kept))


def stamp(time: float) -> str:
    """Seconds since the epoch as ISO-8601, UTC, to the microsecond."""
    return datetime.fromtimestamp(time, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class ManifestError(ValueError):
    """The bytes are no manifest that this version can read. The message is a sentence without a subject."""


class AnotherFormat(ManifestError):
    """The manifest is sealed, and of a format that this version does not read."""


def revision_id(revision: int, parent_id: str | None, files: Iterable[FileEntry]) -> str:
    """The identity of a revision: what a replay of its evidence must arrive at.

    SHA-256, in hexadecimal, of these ASCII or UTF-8 lines, each with its newline: `revision N`; `parent ID`, or `parent
    none`; `file SHA256 NAME` for each file, in the order of the names' code points.
    """
    lines = [f"revision {revision}", f"parent {parent_id or 'none'}"]
    lines += [f"file {entry.sha256} {entry.name}" for entry in sorted(files, key=lambda entry: entry.name)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def seal(manifest: Manifest) -> bytes:
    """The content of `manifest.sexp`: the seal on the first line, then one property list, a field a line."""
    fields: list[tuple[str, Writable]] = [
        ("format", FORMAT),
        ("revision", manifest.revision),
        ("parent", manifest.parent),
        ("id", manifest.id),
        ("generation", manifest.generation),
        ("time", stamp(manifest.time)),
        ("summary", manifest.summary),
        ("origin", manifest.origin),
        ("goals", manifest.goals),
        ("request", manifest.request),
        ("transcript-line", manifest.transcript_line),
        ("sbcl", manifest.sbcl),
        ("kernel", manifest.kernel),
        ("jiti", manifest.jiti),
        ("base", sorted(manifest.base.items())),
        ("files", [(entry.name, entry.size, entry.sha256) for entry in manifest.files]),
    ]
    lines = [f":{key} {dumps(value)}" for key, value in fields]
    events = "\n  ".join(dumps(to_sexp(event)) for event in manifest.events)
    lines.append(f":events ({events})" if events else ":events nil")
    body = ("(" + "\n ".join(lines) + ")\n").encode("utf-8", "surrogatepass")
    return sealed(body)


def unseal(content: bytes, *, evidence: bool = True, steps: Steps | None = None) -> Manifest:
    """Read what `seal` wrote. Without `evidence`, which takes most of the time, `events` stays empty.

    An older format is read through `steps`, if given. Raises ManifestError when a byte of it changed, AnotherFormat
    when it is of a format that is not read.
    """
    fields, written_in = _sealed_fields(content, evidence)
    known = steps or {}
    if written_in > FORMAT or any(older not in known for older in range(written_in, FORMAT)):
        raise AnotherFormat(_another_format(fields, written_in, migrates=steps is None))
    try:
        for older in range(written_in, FORMAT):
            fields = known[older](fields)
        return _manifest(Fields(fields))
    except ValueError as error:
        raise ManifestError(f"is sealed, but does not read: {error}") from error


def sealed_format(content: bytes) -> int:
    """The format of a manifest, be it one that is read or not. Raises ManifestError when a byte of it changed."""
    return _sealed_fields(content, evidence=False)[1]


def _sealed_fields(content: bytes, evidence: bool) -> tuple[Mapping[str, Value], int]:
    try:
        body = unsealed(content)
    except SealError as error:
        raise ManifestError(str(error)) from error
    # No event holds a newline, so the last line that begins like this begins the events.
    end = body.rfind(_EVENTS) if not evidence else -1
    text = body if end < 0 else body[:end] + b" :events nil)"
    try:
        fields = plist(loads(text.decode("utf-8", "surrogatepass")))
        return fields, Fields(fields).integer("format")
    except ValueError as error:
        raise ManifestError(f"is sealed, but does not read: {error}") from error


def _another_format(fields: Mapping[str, Value], written_in: int, *, migrates: bool) -> str:
    said = fields.get("jiti")
    writer = said if isinstance(said, str) and _VERSION.fullmatch(said) else ""
    if written_in < FORMAT and migrates:
        advice = "`jiti-tui recover WORLD` migrates the store, and keeps a copy of it as it is"
    elif writer and written_in > FORMAT:
        advice = f"use jiti-tui {writer} or newer"
    else:
        advice = f"use the jiti-tui {f'{writer} ' if writer else ''}that wrote it"
    return f"has format {written_in}, and jiti-tui {__version__} reads {FORMAT}; {advice}"


def _manifest(fields: Fields) -> Manifest:
    met, total = fields.row("goals", int, int)
    return Manifest(
        revision=fields.integer("revision"),
        parent=None if fields.value("parent") is None else fields.integer("parent"),
        id=fields.text("id"),
        generation=fields.integer("generation"),
        request=fields.text("request"),
        transcript_line=fields.integer("transcript_line"),
        sbcl=fields.text("sbcl"),
        kernel=fields.text("kernel"),
        base=dict(fields.rows("base", str, str)),
        files=tuple(_entry(*row) for row in fields.rows("files", str, int, str)),
        events=fields.records("events"),
        time=datetime.fromisoformat(fields.text("time")).timestamp(),
        summary=fields.text("summary"),
        origin=fields.text("origin"),
        goals=(met, total),
        jiti=fields.text("jiti") if fields.has("jiti") else "",
    )


def _entry(name: str, size: int, sha256: str) -> FileEntry:
    """A line of `:files`. Its name becomes a path: a manifest can be somebody else's, and its seal no signature."""
    folder, _, below = name.partition("/")
    problem = name_problem(below) if folder == FILES else None
    if problem is not None or any(step in ("", ".", "..") for step in name.split("/")) or "\0" in name:
        raise ValueError(f"files has {name!r}, which is no name of a file")
    return FileEntry(name, size, sha256)
