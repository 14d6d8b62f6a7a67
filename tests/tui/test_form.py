"""The editor's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiti_tui.tui.state.form import LONGEST_PAST, Form

MOVES = ["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "ctrl+a", "ctrl+e", "f9"]
CHANGES = ["enter", "tab", "backspace", "delete", "ctrl+d", "ctrl+k", "ctrl+u", "ctrl+z"]
KEYS = st.sampled_from([*MOVES, *CHANGES])


def edit(form: Form, *keys: str) -> Form:
    for key in keys:
        form = form.insert(key[5:]) if key.startswith("text ") else form.edited(key, 10)
    return form


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["text x"], "x(defun f ()\n  1)"),
        (["end", "enter", "text 2"], "(defun f ()\n2\n  1)"),
        (["down", "end", "enter", "text 2"], "(defun f ()\n  1)\n  2"),
        (["down", "home", "backspace"], "(defun f ()  1)"),
        (["end", "delete"], "(defun f ()  1)"),
        (["ctrl+k", "delete"], "  1)"),
        (["right", "right", "ctrl+u"], "efun f ()\n  1)"),
        (["text x", "text y", "ctrl+z", "ctrl+z"], "(defun f ()\n  1)"),
        (["backspace", "up", "left", "pageup"], "(defun f ()\n  1)"),
        (["pagedown", "end", "right", "delete"], "(defun f ()\n  1)"),
        (["tab"], "  (defun f ()\n  1)"),
        (["text a\nb"], "a\nb(defun f ()\n  1)"),
    ],
)
def test_editing(keys: list[str], text: str) -> None:
    assert edit(Form.of("(defun f ()\n  1)"), *keys).text == text


@given(st.text(max_size=60), st.lists(st.one_of(KEYS, st.text(max_size=5).map("text ".__add__)), max_size=30))
def test_the_cursor_stays_in_the_text_and_nothing_unsafe_comes_in(text: str, keys: list[str]) -> None:
    form = edit(Form.of(text), *keys)
    assert 0 <= form.row < len(form.lines)
    assert 0 <= form.column <= len(form.line)
    assert all(character.isprintable() for line in form.lines for character in line)


@given(st.text(max_size=60), st.lists(KEYS, max_size=20))
def test_undo_goes_all_the_way_back(text: str, keys: list[str]) -> None:
    form = Form.of(text)
    changed = edit(form, *keys)
    while changed.past:
        changed = changed.edited("ctrl+z", 10)
    assert changed.text == form.text


def test_the_past_is_bounded() -> None:
    assert len(edit(Form(), *["text x"] * (LONGEST_PAST + 10)).past) == LONGEST_PAST
