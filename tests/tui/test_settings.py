"""The user's own: keys, theme, ASCII. What is wrong is named with its line and passed over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.keyboard import Make, keys

from jiti_tui.cli.user_config import read_user_config
from jiti_tui.tui.settings import ScreenSettings, key_name, read_screen_settings
from jiti_tui.tui.state.keymap import KeyMap
from jiti_tui.tui.theme import own_themes, themes_directory
from jiti_tui.tui.wardrobe import Wardrobe

GOOD = """\
[screen]
theme = "light"
ascii = true
mouse = false

[keys]
"u" = "U"
":" = "f6"
"^p" = "ctrl+y"
"""

BAD = """\
[model]

[screen]
theme = 3
colour = "red"
mouse = "no"

[keys]
"u" = "a"
"nonsense" = "b"
"m" = "ctrl+i"
"e" = "two words"
"y" = "G"
"z" = "G"
"""


@pytest.fixture
def config(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Writes the config file; returns an environment that finds it."""

    def write(text: str) -> dict[str, str]:
        folder = tmp_path / "jiti-tui"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(text)
        return {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}

    return write


def test_other_keys_stand_for_those_of_the_table(config: Callable[[str], dict[str, str]], shown: Make) -> None:
    settings = read_screen_settings(config(GOOD))
    assert (settings.theme, settings.ascii_only, settings.mouse, settings.complaints) == ("light", True, False, ())
    assert {name: settings.keymap.name(name) for name in ("U", "f6", "ctrl+y", "a")} == {
        "U": "u",
        "f6": "colon",
        "ctrl+y": "ctrl+p",
        "a": "a",
    }
    footer = "".join(
        run.text for run in keys(shown("met", keymap=settings.keymap), "F4")[2].pages["revisions"].lines[0]
    )
    assert footer
    assert settings.keymap.label("u") == "U"
    read_user_config(config(GOOD))


def test_what_is_wrong_is_named_with_its_line_and_passed_over(config: Callable[[str], dict[str, str]]) -> None:
    settings = read_screen_settings(config(BAD))
    lines = [complaint.partition(": ")[0] for complaint in settings.complaints]
    assert lines == [f"config.toml line {line}" for line in (4, 5, 6, 9, 10, 11, 12, 14)]
    assert "is taken by a" in settings.complaints[3]
    assert "which is Tab in a terminal" in settings.complaints[5]
    assert settings.keymap == KeyMap({"G": "y"}, {"y": "G"})
    assert (settings.theme, settings.ascii_only, settings.mouse) == ("", False, True)


@pytest.mark.parametrize("text", ["[keys", "keys = 3", "\xff"])
def test_a_file_that_says_nothing_leaves_all_as_it_is(text: str, config: Callable[[str], dict[str, str]]) -> None:
    assert read_screen_settings(config(text)).keymap == KeyMap()
    assert read_screen_settings({"XDG_CONFIG_HOME": "/nowhere", "HOME": "/"}) == ScreenSettings()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("U", "U"),
        ("/", "slash"),
        ("-", "minus"),
        ("Ctrl+Y", "ctrl+y"),
        ("F11", "f11"),
        ("f13", ""),
        (" ", ""),
        ("", ""),
    ],
)
def test_keys_are_named_as_the_terminal_names_them(text: str, name: str) -> None:
    assert key_name(text) == name


def test_own_themes_are_offered_and_bad_ones_told(
    config: Callable[[str], dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = config("")
    folder = tmp_path / "jiti-tui" / "themes"
    folder.mkdir()
    good = (themes_directory() / "dark.toml").read_text()
    (folder / "mine.toml").write_text(good)
    (folder / "odd.toml").write_text(good.replace("#121212", "no colour"))
    found, complaints = own_themes(environment)
    assert (list(found), len(complaints)) == (["mine"], 1)
    assert "odd.toml" in complaints[0]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    wardrobe = Wardrobe(no_color=False, sixteen_colours=False, settings=ScreenSettings(theme="mine"))
    assert wardrobe.first().name == "mine"
    assert {"dark", "light", "mine"} <= set(wardrobe.names)
    missing = Wardrobe(no_color=False, sixteen_colours=False, settings=ScreenSettings(theme="none"))
    assert missing.first().name == "dark"
    assert "There is no theme none." in missing.complaints[-1]
    assert Wardrobe(no_color=True, sixteen_colours=True, settings=ScreenSettings(theme="mine")).first().name == "plain"
