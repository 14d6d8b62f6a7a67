"""Text of the world in a prompt: cut to a bound in bytes of UTF-8, and fenced so that it cannot end its fence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def cut(text: str, most: int) -> str:
    """`text`, or its first `most` bytes and how much was left out."""
    if len(text) * 4 <= most or size(text) <= most:
        return text
    kept = text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")
    return f"{kept}... ({len(text) - len(kept)} characters more, not shown)"


def lines(texts: Iterable[str], budget: int) -> str:
    """One entry below the other, as many as the budget holds; says how many are left out."""
    kept: list[str] = []
    left_out = 0
    most = max(200, budget // 4)
    for text in (cut(text, most) for text in texts):
        if left_out or size(text) > budget:
            left_out += 1
        else:
            budget -= size(text) + 1
            kept.append(text)
    if left_out:
        kept.append(f"({left_out} more, not shown)")
    return "\n".join(kept)


def newest(texts: Sequence[str], budget: int) -> str:
    """The last of `texts`, each cut to a third of the budget: where they do not all fit, the oldest go."""
    kept: list[str] = []
    most = budget // 3
    for text in reversed(texts):
        line = cut(text, most)
        budget -= size(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def fenced(text: str) -> str:
    """`text` between fences that are longer than any run of backquotes in it: it cannot end them."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
