"""Long text in lines of a width. Each text is wrapped once; what is painted again comes from a cache."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import get_character_cell_size

from jiti_tui.tui.text.literal import Literal, cells, literal, literal_lines

LONGEST_TEXT = 100_000
"""Characters of one text that are shown; what is cut is said. The forms of a proposal are bounded below that."""

MOST_LINES = 10_000
"""Lines of one text that are shown."""

_WORD = re.compile(r"\S+\s*")


@lru_cache(maxsize=128)
def wrapped(text: str, width: int, *, words: bool, ascii_only: bool) -> tuple[Literal, ...]:
    """Return `text` in lines of at most `width` cells, between words or wherever a line is full."""
    lines: list[Literal] = []
    for line in literal_lines(text[:LONGEST_TEXT], ascii_only=ascii_only):
        if len(lines) >= MOST_LINES:
            lines.append(literal("(more lines are not shown)"))
            break
        lines += _between_words(line, max(1, width)) if words else _anywhere(line, max(1, width))
    if len(text) > LONGEST_TEXT:
        lines.append(literal(f"({len(text) - LONGEST_TEXT} more characters are not shown)"))
    return tuple(lines)


def _anywhere(text: Literal, width: int) -> list[Literal]:
    """Nothing is dropped: blanks stay where they are. Lines break behind a blank where one is near the edge."""
    single = cells(text) == len(text)
    lines: list[Literal] = []
    start = 0
    while True:
        end = min(start + width, len(text)) if single else _fitting(text, start, width)
        if end < len(text):
            blank = text.rfind(" ", start + 2 * (end - start) // 3, end)
            end = blank + 1 if blank > start else end
        lines.append(Literal(text[start:end]))
        if end >= len(text):
            return lines
        start = end


def _fitting(text: Literal, start: int, width: int) -> int:
    """Return the end of the part of `text` from `start` on that fits `width` cells; at least one character fits."""
    used = 0
    for end in range(start, len(text)):
        used += get_character_cell_size(text[end])
        if used > width:
            return max(end, start + 1)
    return len(text)


def _between_words(text: Literal, width: int) -> list[Literal]:
    lines: list[str] = [text[: len(text) - len(text.lstrip())]]
    used = len(lines[0])
    for match in _WORD.finditer(text):
        word = Literal(match.group())
        size, size_shown = cells(word), cells(Literal(word.rstrip()))
        if used and used + size_shown > width:
            lines.append("")
            used = 0
        if size_shown > width:
            *full, word = _anywhere(word, width)
            lines[-1:] = [lines[-1] + full[0], *full[1:], ""] if full else lines[-1:]
            size, used = cells(word), 0
        lines[-1] += word
        used += size
    return [Literal(line.rstrip()) for line in lines]
