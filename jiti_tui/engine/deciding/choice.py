"""What is to be done next, and who wants it."""

from __future__ import annotations

from jiti_tui.engine.interface import commands
from jiti_tui.frozen import frozen
from jiti_tui.model.action import Action

OPERATOR = "operator"


@frozen
class Choice:
    """An action and who proposed it."""

    action: Action
    origin: str
    trial: int | None = None
    """The number of the trial that stands where the action has led already."""


Errand = commands.GoBack | commands.NextRequest | commands.AddRequest | commands.TakeTrial
"""What the operator asks of an idle session that is no action on the present world."""
