"""Where a user's own files lie, as the XDG base directories have it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

NAME = "jiti-tui"


def config_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of the user's config file and themes."""
    return _folder(environ, "XDG_CONFIG_HOME", ".config")


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of what is kept between sessions and can be missed: what was typed, what was copied."""
    return _folder(environ, "XDG_STATE_HOME", ".local/state")


def _folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    base = environ.get(variable, "")
    # A relative path is to be ignored, says the specification.
    folder = Path(base) if base.startswith("/") else Path(environ.get("HOME") or Path.home()) / default
    return folder / NAME
