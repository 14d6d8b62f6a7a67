"""`jiti-tui doctor`: says what is there, what is missing and what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path

from jiti_tui.cli.findings import Verdict, examine
from jiti_tui.cli.model_probe import probe_model
from jiti_tui.cli.streams import say
from jiti_tui.cli.user_config import read_user_config
from jiti_tui.errors import Exit
from jiti_tui.model_settings import ModelSettings
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print one line for each finding. Returns DONE when a session can run here, WORKER otherwise; of a model that was
    to be asked and cannot answer, PROPOSER.
    """
    findings = asyncio.run(examine(os.environ))
    for finding in findings:
        say(str(finding))
    if any(finding.verdict is Verdict.MISSING for finding in findings):
        return Exit.WORKER
    return _ask(arguments.model) if arguments.model is not None else Exit.DONE


def _ask(path: Path) -> int:
    """Ask the model once; `path` is the world whose settings count, "" for the user's alone."""
    user = read_user_config(os.environ).model
    settings = read_world(path).model if path != Path() else ModelSettings()
    findings = asyncio.run(probe_model(settings, path.resolve(), os.environ, user))
    for finding in findings:
        say(str(finding))
    return Exit.PROPOSER if findings[0].verdict is Verdict.MISSING else Exit.DONE
