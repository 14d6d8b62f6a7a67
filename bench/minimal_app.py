"""The smallest Textual app that paints something: what the first paint of the screen is compared with."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

PAINTED = "a minimal app"


class MinimalApp(App[None]):
    """One Static, nothing else."""

    def compose(self) -> ComposeResult:
        yield Static(PAINTED)


if __name__ == "__main__":
    MinimalApp().run()
