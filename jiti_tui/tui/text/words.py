"""Numbers as people read them."""

from __future__ import annotations


def tokens(count: int) -> str:
    """Return a number of tokens in at most five characters: "630", "5.2k", "1.3M"."""
    if count < 1000:
        return str(count)
    for unit, size in (("k", 1000), ("M", 1_000_000)):
        if count < 100 * size and count % size:
            return f"{count / size:.1f}{unit}"
        if count < 1000 * size:
            return f"{count // size}{unit}"
    return f"{count // 1_000_000}M"


def age(seconds: float) -> str:
    """Return how long ago something was: "0s", "6m", "3h", "12d"."""
    whole = max(0, int(seconds))
    for unit, size in (("d", 86_400), ("h", 3600), ("m", 60)):
        if whole >= size:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def counted(count: int, noun: str) -> str:
    """Return "1 goal", "2 goals"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
