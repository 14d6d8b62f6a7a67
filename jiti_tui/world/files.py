"""Reads the text files of a world folder, bounded, and says plainly why one does not read."""

from __future__ import annotations

import hashlib
from pathlib import Path

from jiti_tui.errors import UnreadableFile
from jiti_tui.frozen import frozen
from jiti_tui.regular_file import read_regular


@frozen
class SourceFile:
    """A Lisp file: its path relative to the world folder, its text, the hash of its bytes in hexadecimal."""

    file: str
    text: str
    sha256: str


def read_source(path: Path, shown: str, limit: int) -> SourceFile:
    """A Lisp file of at most `limit` bytes; `shown` is its name in messages. Raises UnreadableFile."""
    content = _read_bytes(path, shown, limit)
    return SourceFile(shown, _decode(content, shown), hashlib.sha256(content).hexdigest())


def read_text(path: Path, shown: str, limit: int) -> str:
    """The text of a file of at most `limit` bytes; `shown` is its name in messages. Raises UnreadableFile."""
    return _decode(_read_bytes(path, shown, limit), shown)


def _read_bytes(path: Path, shown: str, limit: int) -> bytes:
    try:
        content = read_regular(path, limit + 1)
    except OSError as error:
        raise UnreadableFile(f"{shown} cannot be read: {error.strerror}. Make it readable.", shown) from error
    if content is None:
        raise UnreadableFile(f"{shown} is not a file, or is gone: put a text file there.", shown)
    if len(content) > limit:
        raise UnreadableFile(f"{shown} is larger than {limit} bytes: split or shorten it.", shown)
    return content


def _decode(content: bytes, shown: str) -> str:
    try:
        # "-sig": editors of another system put a byte order mark first, which is no part of the text.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error's own bytes: its positions do not count a byte order mark.
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            f"{shown} line {line}: the byte 0x{error.object[error.start]:02x} is not UTF-8: save the file as UTF-8.",
            shown,
        ) from None
