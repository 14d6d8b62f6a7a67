"""Whether Enter breaks the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.tui.text.open_form import is_open


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("", False),
        ("x", False),
        ("(f 1)", False),
        ("(f", True),
        ("(f 1))", False),
        ("(f ; )", True),
        ("(f ; (\n)", False),
        ('(f ")")', False),
        ('(f "(', True),
        ('"a\\" (', True),
        ("(char= c #\\()", False),
        ("(char= c #\\))", False),
        ("(f #| ) |#", True),
        ("'|a(b|", False),
        ("'a\\(b", False),
        ("(f 'a|)|", True),
    ],
)
def test_parentheses_count_where_they_are_code(text: str, goes_on: bool) -> None:
    assert is_open(text) is goes_on


@given(st.text(alphabet='();"|#\\ a\n', max_size=200))
def test_any_text_has_an_answer(text: str) -> None:
    assert is_open(text) in (True, False)
