"""Whether a form that is being typed goes on in the next line."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    ;[^\n]*                     # a comment to the end of the line
    | \#\|.*?(?:\|\#|\Z)        # a comment between bars
    | \#\\.                     # a character
    | \\.                       # an escaped character of a symbol
    | "(?:\\.|[^"\\])*(?P<open_string>"|\Z)
    | \|[^|]*(?:\||\Z)          # a symbol between bars
    | (?P<parenthesis>[()])
    """,
    re.VERBOSE | re.DOTALL,
)


def is_open(text: str) -> bool:
    """Say whether `text` has more opening than closing parentheses, or ends within a string.

    A guess that decides what Enter does and nothing else: the reader of the world has its own say on what is sent.
    """
    depth = 0
    for token in _TOKEN.finditer(text):
        if token["open_string"] == "":
            return True
        depth += {"(": 1, ")": -1}.get(token["parenthesis"] or "", 0)
    return depth > 0
