"""docs/security.md names a test for each promise: they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")


def named_tests() -> list[tuple[Path, str]]:
    """Each test that the page names, with its file; `::name` is in the file named before it."""
    found: list[tuple[Path, str]] = []
    for place, name in re.findall(r"`([\w./-]*)::([\w-]+)`", PAGE):
        folder = ROOT if "/" in place else ROOT / "tests/kernel"
        found.append((folder / place if place else found[-1][0], name))
    return found


def test_each_test_that_the_page_names_is_there() -> None:
    named = named_tests()
    assert len(named) > 25
    missing = [
        f"{file.name}::{name}"
        for file, name in named
        if not re.search(rf"^(async def {name}\(|def {name}\(|\(test {name}$)", file.read_text(), re.MULTILINE)
    ]
    assert missing == []
