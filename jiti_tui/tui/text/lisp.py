"""Lisp in colours: comments, strings, keywords and the words that define."""

from __future__ import annotations

import re
from functools import lru_cache

from jiti_tui.tui.text.roles import Role

LONGEST_COLOURED = 20_000
"""Characters of a text that are coloured; a longer one stays plain."""

_TOKEN = re.compile(
    r"""
    (?P<comment>;[^\n]*|\#\|.*?(?:\|\#|\Z))
    | (?P<string>"(?:\\.|[^"\\])*(?:"|\Z))
    | (?P<character>\#\\(?:\w+|.))
    | (?<=\()(?P<define>(?:def[a-z-]+|in-package|eval-when)(?=[\s()]|\Z))
    | (?<![^\s()'`,@])(?P<keyword>:[^\s()'"`,;]+|&[a-z-]+)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ROLES = {
    "comment": Role.MUTED,
    "string": Role.BUSY,
    "character": Role.BUSY,
    "define": Role.STRONG,
    "keyword": Role.KEY,
}

Piece = tuple[str, Role]
"""Text of one role within a line."""


@lru_cache(maxsize=32)
def coloured(text: str) -> tuple[tuple[Piece, ...], ...]:
    """Return the lines of `text`, each cut into pieces of one role; together they are the line as it stands.

    A guess for the eye and nothing else: the reader of the world has its own say.
    """
    if len(text) > LONGEST_COLOURED:
        return tuple(((line, Role.TEXT),) for line in text.split("\n"))
    lines: list[list[Piece]] = [[]]
    end = 0
    for token in _TOKEN.finditer(text):
        _add(lines, text[end : token.start()], Role.TEXT)
        _add(lines, token.group(), _ROLES[token.lastgroup or "comment"])
        end = token.end()
    _add(lines, text[end:], Role.TEXT)
    return tuple(map(tuple, lines))


def _add(lines: list[list[Piece]], text: str, role: Role) -> None:
    first, *rest = text.split("\n")
    if first:
        lines[-1].append((first, role))
    for line in rest:
        lines.append([(line, role)] if line else [])
