"""Themes: what each role looks like. A theme is a TOML file; it is checked when it is loaded, not when it is used."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.color import Color, ColorParseError
from rich.errors import StyleSyntaxError
from rich.style import Style

import jiti_tui
from jiti_tui.errors import UsageError
from jiti_tui.frozen import frozen
from jiti_tui.places import config_folder
from jiti_tui.tui.text.roles import Role

_LEVELS = (0, 95, 135, 175, 215, 255)
_GREYS = tuple(range(8, 239, 10))
_FIRST_CUBE, _FIRST_GREY = 16, 232
"""The colours that xterm fixes beyond the first sixteen: a cube of 6 by 6 by 6 levels, then 24 greys."""

_MOST_OWN = 50
"""Themes of the user that are looked at."""


@frozen
class Theme:
    """`roles` has a style for every role, background included."""

    name: str
    roles: Mapping[Role, Style]


def themes_directory() -> Path:
    """Return the folder of the themes that come along: inside an installed package, beside it in a checkout.

    Raises UsageError when neither is there.
    """
    package = Path(jiti_tui.__file__).resolve().parent
    for directory in (package / "themes", package.parent / "themes"):
        if (directory / "dark.toml").is_file():
            return directory
    raise UsageError(f"The themes are missing from {package}. Install jiti-tui again.")


def load_theme(path: Path) -> Theme:
    """Read a theme file.

    Raises UsageError, naming file and key, when it does not read, a key is missing or unknown, or a style is none.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"The theme {path} does not read: {error}.") from error
    _only(path, content, {"background", "roles"})
    roles = content["roles"]
    if not isinstance(roles, dict):
        raise UsageError(f'The theme {path}: "roles" must be a table.')
    _only(path, roles, {role.value for role in Role})
    ground = Style(bgcolor=_colour(path, content, "background"))
    styles = {role: ground + _style(path, roles, role.value) for role in Role}
    return Theme(path.stem, {role: _short(style) for role, style in styles.items()})


def built_in_names() -> list[str]:
    """Return the names of the themes that come along."""
    return sorted(path.stem for path in themes_directory().glob("*.toml"))


def own_themes(environ: Mapping[str, str]) -> tuple[dict[str, Theme], list[str]]:
    """Return the themes in the user's config folder by their names, and a sentence for each file that is no theme."""
    found: dict[str, Theme] = {}
    complaints: list[str] = []
    for path in sorted((config_folder(environ) / "themes").glob("*.toml"))[:_MOST_OWN]:
        try:
            found[path.stem] = load_theme(path)
        except UsageError as error:
            complaints.append(f"{error} It is skipped.")
    return found, complaints


def built_in(name: str) -> Theme:
    """Return a theme that comes along. Raises UsageError, naming those there are, when there is none of that name."""
    names = built_in_names()
    if name not in names:
        raise UsageError(f"There is no theme {name}. There are: {', '.join(names)}.")
    return load_theme(themes_directory() / f"{name}.toml")


def _short(style: Style) -> Style:
    """Name colours that are in the terminals' fixed palette by their number there: half the bytes, the same look."""
    colour, ground = (_numbered(part) if part is not None else None for part in (style.color, style.bgcolor))
    return style + Style(color=colour, bgcolor=ground)


def _numbered(colour: Color) -> Color:
    if colour.triplet is None:
        return colour
    red, green, blue = colour.triplet
    if red == green == blue and red in _GREYS:
        return Color.from_ansi(_FIRST_GREY + _GREYS.index(red))
    if {red, green, blue} <= set(_LEVELS):
        number = 36 * _LEVELS.index(red) + 6 * _LEVELS.index(green) + _LEVELS.index(blue)
        return Color.from_ansi(_FIRST_CUBE + number)
    return colour


def _only(path: Path, table: Mapping[str, Any], keys: set[str]) -> None:
    for key in sorted(keys - set(table)):
        raise UsageError(f'The theme {path}: the key "{key}" is missing.')
    for key in sorted(set(table) - keys):
        raise UsageError(f'The theme {path}: the key "{key}" is unknown.')


def _colour(path: Path, table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    try:
        Color.parse(value)
    except (ColorParseError, AttributeError, TypeError) as error:
        raise UsageError(f'The theme {path}: "{key}" is no colour: {value!r}.') from error
    return str(value)


def _style(path: Path, table: Mapping[str, Any], key: str) -> Style:
    value = table[key]
    try:
        return Style.parse(value)
    except (StyleSyntaxError, AttributeError, TypeError) as error:
        raise UsageError(f'The theme {path}: "{key}" is no style: {value!r}.') from error
