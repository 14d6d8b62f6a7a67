"""What is written instead of a frame shows the same as the frame, in fewer bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from fakes.emulator import Emulator
from hypothesis import given, settings
from hypothesis import strategies as st

from jiti_tui.tui.terminal.abilities import Abilities
from jiti_tui.tui.terminal.display import Display
from jiti_tui.tui.terminal.look import PLAIN, Look, change, look_of

WIDTH, HEIGHT = 40, 8
EVERYTHING = Abilities(erases_in_colour=True, erases_cells=True, shifts=True, repeats=True)
LOOKS = ["", "1;38;5;252;48;5;233", "38;5;76;48;5;233", "48;5;233", "7", "4", "1;33", "38;2;1;2;3;48;5;26", "30;43"]

Screen = list[list[tuple[str, str]]]
"""Rows of runs: text and the parameters of its look."""

texts = st.one_of(
    st.text(st.sampled_from("ab- "), max_size=20),
    st.text(st.sampled_from("abc ─▸漢é\u0301"), max_size=12).filter(lambda text: text[:1] != "\u0301"),
    st.integers(1, WIDTH).map(lambda count: "-" * count),
    st.integers(1, WIDTH).map(lambda count: " " * count),
)
rows = st.lists(st.tuples(texts, st.sampled_from(LOOKS)), max_size=5)
screens = st.lists(rows, min_size=HEIGHT, max_size=HEIGHT)
abilities = st.builds(Abilities, st.booleans(), st.booleans(), st.booleans(), st.booleans())


def frame(screen: Screen, changed: list[int] | None = None) -> str:
    """The rows as Textual writes them, filled with blanks and cut at the width."""
    written = []
    for y in changed if changed is not None else range(len(screen)):
        probe = Emulator(WIDTH * 8, 1, bce=False)
        parts = []
        for text, look in [*screen[y], (" " * WIDTH, "48;5;233")]:
            kept = ""
            for character in text:
                before = probe.x
                probe.feed(character)
                if probe.x > WIDTH:
                    probe.x = before
                    kept += " " * (WIDTH - before)
                    probe.x = WIDTH
                    break
                kept += character
            parts.append(f"\x1b[{look}m{kept}\x1b[0m" if look else kept)
            if probe.x >= WIDTH:
                break
        written.append(f"\x1b[{y + 1};1H" + "".join(parts))
    return "\n".join(written) + "\x1b[1;1H"


def check(*screens: Screen, able: Abilities = EVERYTHING) -> list[str]:
    """Show the screens one after the other; return what was written for each."""
    display = Display(able)
    ours = Emulator(WIDTH, HEIGHT, bce=able.erases_in_colour)
    written = []
    for screen in screens:
        theirs = Emulator(WIDTH, HEIGHT, bce=False)
        theirs.feed(frame(screen))
        written.append(display.shortened(frame(screen), WIDTH, HEIGHT))
        ours.feed(written[-1])
        assert ours.rows == theirs.rows
        assert ours.pen.cell("a") == theirs.pen.cell("a")
    return written


@settings(deadline=None, max_examples=50)
@given(st.lists(screens, min_size=1, max_size=3), abilities)
def test_it_shows_the_same(shown: list[Screen], able: Abilities) -> None:
    check(*shown, able=able)


@settings(deadline=None, max_examples=50)
@given(screens, st.integers(0, HEIGHT - 1), rows, st.integers(0, 4), abilities)
def test_one_row_that_changes_or_moves(before: Screen, y: int, row: list, cells: int, able: Abilities) -> None:
    changed = [*before[:y], row, *before[y + 1 :]]
    aside = [*before[:y], [("x" * cells, LOOKS[1]), *before[y]], *before[y + 1 :]]
    moved = [*before[:y], *before[y + 1 :], row]
    check(before, changed, before, aside, before, moved, before, able=able)


@given(st.sampled_from(LOOKS), st.sampled_from(LOOKS))
def test_a_change_of_look_is_that_change(before: str, after: str) -> None:
    looks = [look_of(parameters) for parameters in (before, after)]
    assert looks[0] is not None
    assert looks[1] is not None
    ours, theirs = Emulator(1, 1, bce=False), Emulator(1, 1, bce=False)
    ours.feed(f"\x1b[{before}m" + change(looks[0], looks[1]))
    theirs.feed(f"\x1b[0;{after}m")
    assert ours.pen == theirs.pen


def lines(*texts: str) -> Screen:
    return [[(text, LOOKS[1])] for text in (*texts, *[""] * (HEIGHT - len(texts)))]


NAMES = [f"the row called {name}" for name in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")]


@pytest.mark.parametrize(
    ("after", "most"),
    [
        (NAMES[:8], 0),
        ([*NAMES[:7], "the row called eighty"], 40),
        (NAMES[1:9], 80),
        ([NAMES[8], *NAMES[:7]], 80),
        (["> " + NAMES[0], *NAMES[1:8]], 40),
        ([], 80),
    ],
    ids=["nothing", "an end", "scrolled up", "scrolled down", "moved aside", "erased"],
)
def test_little_is_written_for_little(after: list[str], most: int) -> None:
    written = check(lines(*NAMES[:8]), lines(*after))
    assert len(written[1].encode()) <= most


def test_a_terminal_that_cannot_erase_in_colour_gets_blanks() -> None:
    written = check(lines("a" * 30), lines("b"), able=Abilities())[1]
    assert "\x1b[K" not in written
    assert " " * 20 in written


def test_what_is_no_frame_passes() -> None:
    display = Display(EVERYTHING)
    for text in ("\x07", "\x1b]0;title\x07", "\x1b[?25l", "\x1b[?2026h"):
        assert display.shortened(text, WIDTH, HEIGHT) == text
    assert display.shortened(frame(lines("a")), WIDTH, HEIGHT)
    assert not display.shortened(frame(lines("a")), WIDTH, HEIGHT)


@pytest.mark.parametrize("what", ["told", "alternate screen", "another size", "an unknown sequence"])
def test_what_may_have_changed_is_written_whole(what: str) -> None:
    display = Display(EVERYTHING)
    whole = display.shortened(frame(lines(*NAMES[:8])), WIDTH, HEIGHT)
    if what == "told":
        display.forget()
    elif what == "alternate screen":
        display.shortened("\x1b[?1049h", WIDTH, HEIGHT)
    elif what == "another size":
        display.shortened(frame(lines(*NAMES[:8])), WIDTH, HEIGHT + 1)
    else:
        odd = "\x1b[1;1H\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\"
        assert display.shortened(odd, WIDTH, HEIGHT) == odd
    assert display.shortened(frame(lines(*NAMES[:8])), WIDTH, HEIGHT) == whole


def test_a_row_that_is_too_long_is_written_again() -> None:
    display = Display(EVERYTHING)
    long = "\x1b[1;1H" + "x" * (WIDTH + 5)
    assert display.shortened(long, WIDTH, HEIGHT) == "\x1b[1H" + "x\x1b[38b"
    assert display.shortened("\x1b[1;1H" + "x" * WIDTH, WIDTH, HEIGHT) == "\x1b[1;40Hx"


def test_every_change_of_look_is_the_shortest_there_is() -> None:
    assert look_of("5000") is None
    assert look_of("1;38;5;252;48;5;233") == Look(("1",), "38;5;252", "48;5;233")
    assert change(Look(("1",), "38;5;76", "48;5;233"), Look((), "38;5;252", "48;5;233")) == "\x1b[22;38;5;252m"
    assert change(Look(("1", "7"), "31", ""), Look((), "32", "")) == "\x1b[0;32m"
    assert change(Look(("1", "2")), Look(("1",))) == "\x1b[0;1m"
    assert change(Look(("1",)), PLAIN) == "\x1b[m"
    assert all(change(look, look) == "" for pair in pairwise([PLAIN, Look(("7",))]) for look in pair)
