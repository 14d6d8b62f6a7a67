"""Text that others wrote never reaches the terminal raw, whatever it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import get_character_cell_size

from jiti_tui.tui.text.glyphs import ASCII, UNICODE, Glyphs
from jiti_tui.tui.text.line import width_of
from jiti_tui.tui.text.literal import MARKS_AT_MOST, cells, escape, literal, literal_lines
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.wrap import wrapped

HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\x9b\x00\r\n\t\u202e\u2066\u200b\u200d\ufe0f\u0301\u0300\u20dd\u115f\xad\xa0 漢é[]ab"),
    ),
    max_size=200,
)


@given(HOSTILE)
def test_a_literal_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    safe = literal(text)
    assert all(character.isprintable() for character in safe)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for character in safe)


@given(HOSTILE)
def test_nothing_of_a_literal_is_hidden(text: str) -> None:
    marks = 0
    for character in literal(text):
        marks = 0 if get_character_cell_size(character) else marks + 1
        assert marks <= MARKS_AT_MOST
        assert not marks or unicodedata.category(character) == "Mn"


@given(HOSTILE)
def test_a_literal_is_as_wide_as_its_characters(text: str) -> None:
    safe = literal(text)
    assert cells(safe) == sum(map(get_character_cell_size, safe))


@given(HOSTILE)
def test_a_literal_stays_what_it_is(text: str) -> None:
    assert literal(literal(text)) == literal(text)


@given(HOSTILE)
def test_ascii_only_is_ascii(text: str) -> None:
    assert literal(text, ascii_only=True).isascii()


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202etxt", "\\u202etxt"),
        ("a\u200bb", "a\\u200bb"),
        ("[/bold][ABORT]", "[/bold][ABORT]"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "\\u0301"),
        ("a\nb\tc", "a b c"),
        ("漢字", "漢字"),
        ("a\xa0b", "a\\xa0b"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_examples(text: str, safe: str) -> None:
    assert literal(text) == safe


def test_tabs_are_expanded_in_lines() -> None:
    assert literal_lines("a\tb\r\nc\n") == ["a       b", "c"]


def test_escapes_name_the_character() -> None:
    assert escape("\x9b") == "\\x9b"


@given(HOSTILE, st.integers(0, 90), st.sampled_from([UNICODE, ASCII]))
def test_clipped_text_fits(text: str, width: int, glyphs: Glyphs) -> None:
    paper = Paper(80, glyphs)
    assert cells(paper.clip(text, width)) <= width
    assert width_of([paper.fit(text, width)]) == width


@given(HOSTILE, st.integers(1, 90), st.booleans())
def test_wrapped_lines_fit_and_keep_what_is_seen(text: str, width: int, words: bool) -> None:
    lines = wrapped(text, width, words=words, ascii_only=False)
    assert all(cells(line) <= max(width, 2) for line in lines)
    written = "".join(literal_lines(text)).replace(" ", "")
    assert "".join(lines).replace(" ", "") == written


@given(HOSTILE, st.integers(1, 90))
def test_code_keeps_its_blanks(text: str, width: int) -> None:
    assert "".join(wrapped(text, width, words=False, ascii_only=False)) == "".join(literal_lines(text))


@given(HOSTILE, st.integers(0, 90))
def test_every_line_of_a_page_has_the_width_of_its_paper(text: str, width: int) -> None:
    paper = Paper(width, UNICODE)
    made = [
        paper.text(text),
        paper.heading(text, text),
        *paper.prose(text),
        *paper.code(text),
        *paper.field(text, text),
    ]
    assert all(width_of(line) == width for line in made)


def test_a_megabyte_costs_no_more_than_what_is_seen() -> None:
    lines = wrapped("漢" * 1_000_000, 78, words=True, ascii_only=False)
    assert lines[-1] == "(900000 more characters are not shown)"
    assert cells(Paper(80, UNICODE).clip("\x1b" * 1_000_000, 78)) <= 78
