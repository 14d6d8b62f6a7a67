"""The story of an attempt: its steps, and what was printed and warned of on the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jiti_tui.kernel.messages import Paused, Repaired, Value


@dataclass(slots=True)
class Story:
    """How an attempt came to its value."""

    origin: str
    rationale: str
    steps: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def hear(self, message: Value | Paused | Repaired) -> None:
        """Keep what was printed and warned of since the outcome before."""
        if message.output:
            self.output.append(message.output)
        if message.dropped:
            self.output.append(f"[{message.dropped} characters dropped]")
        self.warnings += message.warnings

    def copy(self) -> Story:
        """A story that goes on by itself."""
        return replace(self, steps=[*self.steps], output=[*self.output], warnings=[*self.warnings])

    @property
    def text(self) -> str:
        """All that was printed."""
        return "".join(self.output)
