"""Text for a terminal that is not ours to command: what a world or a model says must not steer it."""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def plain(text: str) -> str:
    """`text` with control, bidirectional and zero-width characters and lone surrogates written as escapes.

    Newlines and tabs stay.
    """
    return _UNSAFE.sub(
        lambda found: f"\\x{ord(found[0]):02x}" if ord(found[0]) < 256 else f"\\u{ord(found[0]):04x}", text
    )


def one_line(text: str, most: int = 200) -> str:
    """`plain` text on one line of at most `most` characters."""
    flat = " ".join(plain(text).split())
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."
