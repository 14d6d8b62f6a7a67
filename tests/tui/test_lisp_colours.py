"""Lisp in colours: for the eye, and nothing is lost of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.tui.text.glyphs import UNICODE
from jiti_tui.tui.text.line import width_of
from jiti_tui.tui.text.lisp import LONGEST_COLOURED, coloured
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def roles(text: str) -> dict[str, Role]:
    return {piece.strip(): role for line in coloured(text) for piece, role in line if piece.strip()}


@pytest.mark.parametrize(
    ("text", "piece", "role"),
    [
        ("(defun f (x) x)", "defun", Role.STRONG),
        ("(list :food)", ":food", Role.KEY),
        ("(f 1) ; (defun", "; (defun", Role.MUTED),
        ('(f "a ; b")', '"a ; b"', Role.BUSY),
        (r"(f #\;)", r"#\;", Role.BUSY),
        ("#| a\nb |# (f)", "b |#", Role.MUTED),
        ('(f "a\nb")', 'b"', Role.BUSY),
        ("(f &optional y)", "&optional", Role.KEY),
    ],
)
def test_pieces_have_the_role_of_what_they_are(text: str, piece: str, role: Role) -> None:
    assert roles(text)[piece] is role


def test_a_package_prefix_is_no_keyword() -> None:
    assert Role.KEY not in roles("(jiti:value a)").values()


@given(st.text(alphabet="()\"\\;#|:'`, \nab漢é&def-\x1b\u202e", max_size=80))
def test_nothing_is_lost(text: str) -> None:
    lines = ["".join(piece for piece, _ in line) for line in coloured(text)]
    assert "\n".join(lines) == text


@given(st.text(alphabet='()" ab漢\x1b\u202e\t\n;', max_size=60), st.integers(1, 12))
def test_lines_are_as_wide_as_the_paper(text: str, width: int) -> None:
    assert all(width_of(line) == width for line in Paper(width, UNICODE).lisp(text))


def test_what_is_very_long_stays_plain() -> None:
    assert {role for line in coloured("(defun f ())\n" * LONGEST_COLOURED) for _, role in line} == {Role.TEXT}
