"""The operator's editor."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

_TAKE_A_LINE = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "joe", "jed", "kak", "ne", "mg", "mcedit"}
)
"""Editors that take `+LINE` before the file's name."""

_USUAL = ("sensible-editor", "nano", "vi")


def editor_command(path: Path, line: int, environ: Mapping[str, str]) -> list[str]:
    """Return what opens `path` at `line`, 0 for its beginning: VISUAL, else EDITOR, else what there is.

    The list is empty where nothing is.
    """
    try:
        command = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "")
    except ValueError:
        command = []
    if not command:
        command = [name for name in _USUAL if shutil.which(name, path=environ.get("PATH"))][:1]
    if not command:
        return []
    at_line = [f"+{line}"] if line > 0 and Path(command[0]).name in _TAKE_A_LINE else []
    return [*command, *at_line, str(path)]


def inside_folder(folder: Path | None, name: str) -> Path | None:
    """Return the path of a file of the world folder, None where there is no folder or the file is not in it."""
    if folder is None:
        return None
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) else None
