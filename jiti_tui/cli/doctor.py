"""`jiti-tui doctor`: says what is there, what is missing and what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import os

from jiti_tui.cli.findings import Verdict, examine
from jiti_tui.cli.streams import say
from jiti_tui.errors import Exit


def main(_arguments: argparse.Namespace) -> int:
    """Print one line for each finding. Returns DONE when a session can run here, WORKER otherwise."""
    findings = asyncio.run(examine(os.environ))
    for finding in findings:
        say(str(finding))
    return Exit.WORKER if any(finding.verdict is Verdict.MISSING for finding in findings) else Exit.DONE
