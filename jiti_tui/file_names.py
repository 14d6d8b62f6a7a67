"""The names of the world's files, `ADAPTER/PATH`: what a worker, a manifest or a folder may call one.

They become paths on the user's disk, so nothing that comes from elsewhere is used before it has passed here. The rules
are those of `lisp/files-tree.lisp`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_FILES = 10_000
MAX_PATH_BYTES = 512
MAX_DEPTH = 16

_ADAPTER = re.compile(r"[a-z0-9_-]{1,64}")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def is_adapter_name(name: str) -> bool:
    """Whether a directory adapter can have this name."""
    return _ADAPTER.fullmatch(name) is not None


def name_problem(name: str) -> str | None:
    """Why `name` is no name of a file of the world, None when it is one. A sentence without a subject."""
    adapter, slash, path = name.partition("/")
    if not is_adapter_name(adapter) or not slash:
        return "does not begin with the name of an adapter, of a-z, 0-9, - and _"
    steps = path.split("/")
    if any(step in ("", ".", "..") for step in steps):
        return "is no path of names with one slash between two"
    if _FORBIDDEN.search(path):
        return "holds a control character, or is not UTF-8"
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"is longer than {MAX_PATH_BYTES} bytes"
    if len(steps) > MAX_DEPTH:
        return f"lies deeper than {MAX_DEPTH} folders"
    return None


def clash(names: Iterable[str]) -> str | None:
    """The first of `names` that is a folder of another one, None when all can be files side by side."""
    known = set(names)
    for name in sorted(known):
        steps = name.split("/")
        for end in range(2, len(steps)):
            folder = "/".join(steps[:end])
            if folder in known:
                return folder
    return None
