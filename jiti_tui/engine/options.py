"""How a session is to be run, as the command line says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from jiti_tui.engine.phase import Mode


@dataclass(frozen=True, slots=True)
class Options:
    """`requests` replaces those of world.toml when it is not empty. `proposer` None means: choose by what is there."""

    mode: Mode = Mode.REVIEW
    proposer: str | None = None
    transcript: Path | None = None
    requests: tuple[str, ...] = ()
    max_attempts: int | None = None
    unsandboxed: bool = False
    """Unattended acceptance is allowed where no sandbox can run."""
    headless: bool = False
    """No screen is there: the session ends by itself when it has nothing left to do or cannot go on."""
    environ: dict[str, str] = field(default_factory=dict)
    """Where the proposer finds its key and address; never handed to a worker."""
