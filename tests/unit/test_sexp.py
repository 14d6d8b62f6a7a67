"""The s-expressions of the wire and the store: exact round trips, and refusal of everything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.sexp import MAX_DEPTH, MAX_DIGITS, Keyword, SexpError, Value, dumps, loads, plist

any_text = st.text(st.characters(exclude_categories=())) | st.text(alphabet='\\"nt\n\r\0 ();:#|🙂\ud800')
keywords = st.from_regex(r"\A[a-z][a-z0-9-]{0,20}\Z").map(Keyword)
integers = st.integers(-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 1)
values = st.recursive(
    any_text | keywords | integers | st.just(True) | st.none(),
    lambda items: st.lists(items, min_size=1, max_size=6),
    max_leaves=40,
)


def same(one: Value, other: Value) -> bool:
    """Equality that tells keywords from strings and t from 1."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return type(one) is type(other) and one == other


@given(any_text)
def test_a_string_comes_back_exactly(text: str) -> None:
    assert loads(dumps(text)) == text


@given(values)
def test_a_value_comes_back_exactly(value: Value) -> None:
    assert same(loads(dumps(value)), value)


@given(any_text)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = loads(text)
    except SexpError:
        return
    assert same(loads(dumps(value)), value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nil", None),
        ("()", None),
        ("t", True),
        (' ( :a-b 1 -2 \n\t"x" nil t ("y") ) ', [Keyword("a-b"), 1, -2, "x", None, True, ["y"]]),
        (r'"\\n"', "\\n"),
        (r'"\\\""', '\\"'),
        ('("a""b"(1)2)', ["a", "b", [1], 2]),
        ('"nil"', "nil"),
        ('"0"', "0"),
    ],
)
def test_reads(text: str, value: Value) -> None:
    assert same(loads(text), value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "(",
        ")",
        "(1))",
        "1 2",
        '"a',
        '"a\\',
        r'"a\n"',
        "(a)",
        "T",
        "NIL",
        ":",
        ":A",
        "::a",
        "1.5",
        "1_000",
        "+1",
        "٣",
        "1a",
        "t1",
        "(a . b)",
        "'t",
        "#\\(",
        "#.1",
        "[1]",
        "; t\nt",
        "|a|",
        "1" * (MAX_DIGITS + 1),
        "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1),
        "(" * 1_000_000,
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(SexpError):
        loads(text)


def test_refuses_what_the_subset_cannot_write() -> None:
    deep: Value = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert same(loads(dumps(deep)), deep)
    unfit: list[Any] = [[deep], Keyword("A b"), Keyword(""), 10**MAX_DIGITS, 1.5, {"a": 1}]
    for value in unfit:
        with pytest.raises(SexpError):
            dumps(value)


@pytest.mark.parametrize(
    "text", ["x" * 2**20, '"' * 2**20, "\\" * 2**20, '\\"\n' * 2**18], ids=["plain", "quotes", "backslashes", "mixed"]
)
def test_a_string_of_a_mebibyte_comes_back(text: str) -> None:
    assert loads(dumps(text)) == text


def test_plist() -> None:
    assert plist(loads('(:a-b 1 :c ("x"))')) == {"a_b": 1, "c": ["x"]}
    assert plist(None) == {}


@pytest.mark.parametrize("text", ["1", "(:a)", '("a" 1)', "(:a 1 :a 2)", "(nil 1)"])
def test_plist_refuses(text: str) -> None:
    with pytest.raises(SexpError):
        plist(loads(text))
