"""How a session is to be run, as the command line says it."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from jiti_tui.budget import Budgets
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.frozen import frozen
from jiti_tui.model.proposer import Proposer
from jiti_tui.model_settings import UserModelSettings


@frozen
class Options:
    """`requests` replaces those of world.toml when it is not empty."""

    mode: Mode = Mode.REVIEW
    proposer: str | Proposer | None = None
    """A name, or one of the caller's own; None means: choose by what is there."""
    transcript: Path | None = None
    requests: tuple[str, ...] = ()
    budgets: Budgets = field(default_factory=Budgets)
    """Where the session stops and asks, or ends where nobody is there to be asked."""
    user: UserModelSettings = field(default_factory=UserModelSettings)
    """How the user has a model asked, for every world that says nothing else."""
    record: Path | None = None
    """Where a transcript of what leads to revisions is written."""
    looks_on: bool = False
    """Where another session holds the store, this one only reads, as with READ_ONLY, instead of ending."""
    compiles: bool = True
    """Large definitions are compiled for the session after this one; where the store is thrown away, there is none."""
    unsandboxed: bool = False
    """Unattended acceptance is allowed where no sandbox can run."""
    headless: bool = False
    """No screen is there: the session ends by itself when it has nothing left to do or cannot go on."""
    environ: dict[str, str] = field(default_factory=dict)
    """Where the proposer finds its key and address; never handed to a worker."""
