"""The user's own config file: how a model is asked and what it may use, for every world that says nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jiti_tui.budget import Budgets
from jiti_tui.errors import UsageError
from jiti_tui.model_settings import UserModelSettings
from jiti_tui.places import config_folder
from jiti_tui.world.toml_errors import sentence
from jiti_tui.world.toml_lines import key_line

_MAX_BYTES = 1_048_576


class UserConfig(BaseModel):
    """The whole file; every key is optional."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: UserModelSettings = Field(default_factory=UserModelSettings)
    budget: Budgets = Field(default_factory=Budgets)
    screen: dict[str, Any] = Field(default_factory=dict)
    keys: dict[str, Any] = Field(default_factory=dict)
    """Of these two the screen says what is wrong, and goes on without it."""


def config_path(environ: Mapping[str, str]) -> Path:
    """Where it is: `jiti-tui/config.toml` in the user's config folder, as the XDG base directories have it."""
    return config_folder(environ) / "config.toml"


def read_user_config(environ: Mapping[str, str]) -> UserConfig:
    """What the file says, nothing where there is none. Raises UsageError, which names the file and what is wrong."""
    path = config_path(environ)
    try:
        if not path.is_file():
            return UserConfig()
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES).decode()
        table = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        reason = re.sub(r"\s+", " ", str(error))[:200]
        raise UsageError(f"{path} is not TOML: {reason}.") from None
    try:
        return UserConfig.model_validate(table)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        line = key_line(text, wrong["loc"])
        place = f"{path} line {line}" if line else f"{path}"
        raise UsageError(f"{place}: {sentence(wrong, UserConfig)}") from None
