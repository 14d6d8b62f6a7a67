"""Themes: complete, legible, and refused with a sentence when they are not."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from rich.color import Color

from jiti_tui.errors import UsageError
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.theme import built_in, load_theme, themes_directory

COLOURED = ["dark", "light", "contrast"]
UNCOLOURED = ["sixteen", "plain"]


def luminance(colour: Color) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [value / 255 for value in colour.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", COLOURED)
@pytest.mark.parametrize("role", list(Role))
def test_every_role_is_legible(name: str, role: Role) -> None:
    style = built_in(name).roles[role]
    assert style.color is not None
    assert style.bgcolor is not None
    darker, lighter = sorted((luminance(style.color), luminance(style.bgcolor)))
    assert (lighter + 0.05) / (darker + 0.05) >= 5.5


@pytest.mark.parametrize("name", COLOURED)
def test_colours_are_named_by_their_number(name: str) -> None:
    assert all(style.color and style.color.triplet is None for style in built_in(name).roles.values())


@pytest.mark.parametrize("name", UNCOLOURED)
def test_without_colours_what_stands_out_still_does(name: str) -> None:
    roles = built_in(name).roles
    for role in (Role.SELECTION, Role.BADGE, Role.ALARM):
        style = roles[role]
        assert style.reverse or (style.bgcolor is not None and not style.bgcolor.is_default)
    assert roles[Role.STRONG].bold


def test_plain_names_no_colour() -> None:
    for style in built_in("plain").roles.values():
        assert all(colour is None or colour.is_default for colour in (style.color, style.bgcolor))


DARK = (themes_directory() / "dark.toml").read_text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("background = 1", 'the key "roles" is missing'),
        (DARK.replace('"#121212"', '"#12"', 1), "\"background\" is no colour: '#12'"),
        (DARK.replace("#5fd700", "mauvish"), "\"good\" is no style: 'bold mauvish'"),
        (DARK.replace("\nmuted =", "\nmute ="), 'the key "muted" is missing'),
        (DARK + 'glow = "red"\n', 'the key "glow" is unknown'),
        ("roles = 1\nbackground = 2", '"roles" must be a table'),
        ("[[", "does not read"),
    ],
    ids=["no roles", "bad colour", "bad style", "missing role", "unknown role", "no table", "no TOML"],
)
def test_a_bad_theme_is_refused_when_it_is_loaded(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as refused:
        load_theme(path)
    assert sentence in str(refused.value)
    assert str(path) in str(refused.value)


def test_an_unknown_theme_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="There are: contrast, dark, light, plain, sixteen"):
        built_in("dusk")


def test_the_themes_have_the_same_keys() -> None:
    keys = [
        [line.split("=")[0] for line in path.read_text().splitlines() if "=" in line and not line.startswith("#")]
        for path in sorted(themes_directory().glob("*.toml"))
    ]
    assert all(one == other for one, other in pairwise(keys))
