"""How long to wait before a transient failure is tried again."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

LONGEST = 120.0
"""Seconds. A provider that asks for more is not waited for: the operator decides."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a response asks to wait: `retry-after-ms`, or `Retry-After` of RFC 9110, 10.2.3; else None."""
    try:
        if "retry-after-ms" in headers:
            seconds = float(headers["retry-after-ms"]) / 1000
        elif "retry-after" in headers:
            seconds = _seconds(headers["retry-after"])
        else:
            return None
    except ValueError:
        return None
    return max(0.0, seconds) if seconds < float("inf") else None


def pause(failures: int, asked: float | None, first: float) -> float:
    """Seconds to wait after `failures` in a row: what was `asked` for, or `first` doubled each time, with jitter."""
    if asked is not None:
        return asked
    return min(LONGEST, first * 2.0 ** (failures - 1)) * random.uniform(0.75, 1.0)  # noqa: S311 - spreads load, keeps no secret


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return parsedate_to_datetime(text).timestamp() - time.time()
