"""The themes among which the operator chooses."""

from __future__ import annotations

import os

from jiti_tui.errors import UsageError
from jiti_tui.tui.settings import ScreenSettings
from jiti_tui.tui.theme import Theme, built_in, built_in_names, own_themes

_GREYS, _SIXTEEN = "plain", "sixteen"
"""Themes for terminals that cannot show more, whatever the config file says."""


class Wardrobe:
    """`complaints` are sentences about files of the user's that cannot be used as themes."""

    def __init__(self, no_color: bool, sixteen_colours: bool, settings: ScreenSettings) -> None:
        self._forced = _GREYS if no_color else _SIXTEEN if sixteen_colours else ""
        self._own, self.complaints = own_themes(os.environ)
        self._wanted = settings.theme
        self.names = [self._forced] if self._forced else sorted({*built_in_names(), *self._own})

    def first(self) -> Theme:
        """Return the theme to begin with: the one that fits the terminal, else the config file's, else the dark one."""
        if self._forced or not self._wanted:
            return built_in(self._forced or "dark")
        theme = self.take(self._wanted)
        if isinstance(theme, Theme):
            return theme
        self.complaints.append(f"{theme} The dark one is shown.")
        return built_in("dark")

    def take(self, name: str) -> Theme | str:
        """Return the theme of that name, or a sentence that says why there is none. The user's own comes first."""
        try:
            return self._own.get(name) or built_in(name)
        except UsageError as error:
            return str(error)
