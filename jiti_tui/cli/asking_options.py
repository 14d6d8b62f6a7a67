"""What the command line, the world folder and the user's config say about who answers, and within which limits."""

from __future__ import annotations

import argparse
import os
from functools import reduce
from pathlib import Path
from typing import TypedDict

from jiti_tui.budget import Budgets
from jiti_tui.cli.user_config import read_user_config
from jiti_tui.errors import UsageError
from jiti_tui.model_settings import UserModelSettings, settings_for
from jiti_tui.world.folder import World

ATTEMPTS = 20
"""Of a session without a screen, or of a request on one, where nobody has set a limit of attempts."""


class AskingOptions(TypedDict):
    """The part of `Options` that is the same with and without a screen."""

    proposer: str | None
    transcript: Path | None
    record: Path | None
    budgets: Budgets
    user: UserModelSettings
    environ: dict[str, str]


def asking_options(arguments: argparse.Namespace, world: World, *, headless: bool) -> AskingOptions:
    """Raises UsageError where the config file does not read, or a budget in money has no prices."""
    config = read_user_config(os.environ)
    given: Budgets = reduce(lambda first, second: second.over(first), arguments.budget, Budgets())
    if headless and arguments.max_attempts is not None:
        given = Budgets.model_validate({"session": {"attempts": arguments.max_attempts}}).over(given)
    budgets = given.over(world.budget).over(config.budget)
    if budgets.request.attempts is None and budgets.session.attempts is None:
        default = {"session" if headless else "request": {"attempts": ATTEMPTS}}
        budgets = budgets.over(Budgets.model_validate(default))
    costs = budgets.request.money is not None or budgets.session.money is not None
    if costs and settings_for(world.model, config.model).prices is None:
        raise UsageError("A budget in money needs prices in [model]: what a million tokens cost, input and output.")
    return AskingOptions(
        proposer=arguments.proposer,
        transcript=arguments.transcript,
        record=arguments.record,
        budgets=budgets,
        user=config.model,
        environ=dict(os.environ),
    )
