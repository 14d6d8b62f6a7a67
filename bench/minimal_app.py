"""A small Textual app of three widgets, a list, a log and a line: what the screen is compared with."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import Log, OptionList, Static

PAINTED = "a minimal app"
LINES_A_SECOND = 20


class MinimalApp(App[None]):
    """With the argument `log` it writes 20 lines a second."""

    CSS = "OptionList, Log { height: 11; }"

    def compose(self) -> ComposeResult:
        yield OptionList(*(f"option {number}" for number in range(50)))
        yield Log()
        yield Static(PAINTED)

    def on_mount(self) -> None:
        """Begin to write, if that is asked for."""
        if "log" in sys.argv:
            self.set_interval(1 / LINES_A_SECOND, self._write)

    def _write(self) -> None:
        self.query_one(Log).write_line("evaluate accepted as a revision of the world, with 4 of 4 goals met")


if __name__ == "__main__":
    MinimalApp().run()
