"""What the user's config file says of the screen: theme, ASCII, mouse, other keys.

What is wrong in it is told and passed over: nobody must mend a file before he can see his world.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jiti_tui.frozen import frozen
from jiti_tui.places import config_folder
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.keymap import KeyMap
from jiti_tui.world.toml_lines import key_line

_MOST_BYTES = 1_048_576
_FIXED = ("Enter", "arrows", "Tab", "F2-F5", "Esc", "0-9", "[ ]", "Left Right", "^q")
"""Keys that stay where they are."""
_SAME_AS = {"ctrl+i": "Tab", "ctrl+m": "Enter", "ctrl+h": "Backspace", "ctrl+j": "Enter", "ctrl+c": "Esc"}
"""Keys that a terminal cannot tell from another, or that mean another."""
_PRESSED = re.compile(r"ctrl\+[a-z]|f[1-9]|f1[0-2]|insert|delete")
_OTHERWISE = {"solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
              "plus_sign": "plus", "low_line": "underscore"}  # fmt: skip
"""Names of characters for which the terminal's driver has another one."""


@frozen
class ScreenSettings:
    """`theme` is a name, "" where none is given. `complaints` are sentences for the operator."""

    theme: str = ""
    ascii_only: bool = False
    mouse: bool = True
    keymap: KeyMap = field(default_factory=KeyMap)
    complaints: tuple[str, ...] = ()


def read_screen_settings(environ: Mapping[str, str]) -> ScreenSettings:
    """Return what the config file says, nothing where there is none. One that is no TOML is the engine's to tell."""
    path = config_folder(environ) / "config.toml"
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode()
        table = tomllib.loads(text)
    except (OSError, ValueError, RecursionError):
        return ScreenSettings()
    return _Reading(path, text, table).settings()


class _Reading:
    def __init__(self, path: Path, text: str, table: Mapping[str, Any]) -> None:
        self._path, self._text, self._table = path, text, table
        self._complaints: list[str] = []

    def settings(self) -> ScreenSettings:
        theme, flags = "", {"ascii": False, "mouse": True}
        for name, value in self._entries("screen"):
            if name == "theme" and isinstance(value, str):
                theme = value
            elif name in flags and isinstance(value, bool):
                flags[name] = value
            elif name == "theme" or name in flags:
                self._complain("screen", name, f"must be {'a name' if name == 'theme' else 'true or false'}")
            else:
                self._complain("screen", name, "is not a known key; the keys here are theme, ascii, mouse")
        keymap = self._keymap()
        return ScreenSettings(theme, flags["ascii"], flags["mouse"], keymap, tuple(self._complaints))

    def _keymap(self) -> KeyMap:
        own = {key.label: key.names[0] for key in KEYS if key.label not in _FIXED}
        taken = {name: key.label for key in KEYS for name in key.names}
        meant: dict[str, str] = {}
        labels: dict[str, str] = {}
        for label, value in self._entries("keys"):
            name = key_name(value) if isinstance(value, str) else ""
            if label not in own:
                self._complain("keys", label, f"is no key that can be moved; these can: {' '.join(own)}")
            elif not name:
                self._complain("keys", label, 'must be a key such as "U", "ctrl+y" or "f6"')
            elif name in _SAME_AS:
                self._complain("keys", label, f'cannot be "{value}", which is {_SAME_AS[name]} in a terminal')
            elif name in taken:
                self._complain("keys", label, f'cannot be "{value}", which is taken by {taken[name]}')
            else:
                taken[name], meant[name] = label, own[label]
                labels[label] = _label(str(value), name)
        return KeyMap(MappingProxyType(meant), MappingProxyType(labels))

    def _entries(self, name: str) -> Iterator[tuple[str, Any]]:
        table = self._table.get(name, {})
        if isinstance(table, dict):
            yield from table.items()
        else:
            self._complain(name, "", "must be a table")

    def _complain(self, table: str, key: str, wrong: str) -> None:
        line = _line_of(self._text, table, key)
        place = f"{self._path.name}{f' line {line}' if line else ''}"
        self._complaints.append(f"{place}: {f'{key!r} in [{table}]' if key else f'[{table}]'} {wrong}. It is skipped.")


def key_name(text: str) -> str:
    """Return how the terminal's driver calls the key that a person writes as `text`, "" where it is none."""
    if len(text) == 1 and text.isalnum():
        return text
    if len(text) == 1 and text.isprintable() and not text.isspace():
        name = unicodedata.name(text, "").lower().replace("-", "_").replace(" ", "_")
        return _OTHERWISE.get(name, name)
    lowered = text.lower()
    return lowered if _PRESSED.fullmatch(lowered) else ""


def _label(text: str, name: str) -> str:
    if name.startswith("ctrl+"):
        return f"^{name[5:]}"
    return text if len(text) == 1 else name.upper()


def _line_of(text: str, table: str, key: str) -> int | None:
    """The line of a key, which may be quoted for holding other signs than letters; else that of its table."""
    within = False
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[([^\]]*)\]", line)
        within = header[1].strip() == table if header else within
        name = re.match(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*=""", line)
        if within and name and key in name.groups():
            return number
    return key_line(text, (table, ""))
