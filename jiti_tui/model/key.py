"""The key of a model's provider: from the environment, or from a file that its owner alone can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from jiti_tui.errors import ProposerError

KEY = "OPENAI_API_KEY"
_MAX_BYTES = 4096


def find_key(environ: Mapping[str, str], key_file: str | None) -> str:
    """The key in `OPENAI_API_KEY`, else that in `key_file`, else "". Raises ProposerError for one that is unfit."""
    key = environ.get(KEY, "").strip()
    if key:
        return _fit(key, KEY)
    return _fit(_read(Path(key_file).expanduser()), key_file) if key_file else ""


def _fit(key: str, place: str) -> str:
    if not key:
        raise ProposerError(f"{place} is empty: put the key of the model's provider there.")
    if not (key.isascii() and key.isprintable()) or " " in key:
        # The HTTP library would quote it in its complaint.
        raise ProposerError(f"{place} holds characters that no key has: set it again.")
    return key


def _read(path: Path) -> str:
    try:
        # A named pipe would wait for a writer for ever.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise ProposerError(f"The key file {path} cannot be read: {error.strerror}.") from None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise ProposerError(f"The key file {path} is not a file: name one that is.")
        if state.st_uid != os.geteuid() or state.st_mode & 0o077:
            raise ProposerError(f"The key file {path} can be read by others than you: chmod 600 {path}")
        content = file.read(_MAX_BYTES)
    try:
        return content.decode("ascii").strip()
    except UnicodeDecodeError:
        raise ProposerError(f"The key file {path} holds characters that no key has: write the key alone.") from None
