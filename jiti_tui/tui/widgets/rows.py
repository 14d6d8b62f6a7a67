"""A part of the screen that paints lines it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.roles import Role


class Rows(Widget, can_focus=False):
    """Shows one line a row, each in the styles of the theme."""

    DEFAULT_CSS = "Rows { position: absolute; }"

    def __init__(self, styles: Mapping[Role, Style], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._role_styles = styles
        self._lines: Sequence[Line] = ()
        self._region: Region | None = None

    def put(self, region: Region) -> None:
        """Move to `region` of the screen; one without area hides the part."""
        if region == self._region:
            return
        self._region = region
        self.display = region.area > 0
        self.styles.offset = region.offset
        self.styles.width = region.width
        self.styles.height = region.height

    def show(self, lines: Sequence[Line]) -> None:
        """Paint those of `lines` that differ from what is painted."""
        before, self._lines = self._lines, lines
        if len(before) != len(lines):
            self.refresh()
            return
        changed = [y for y, (old, new) in enumerate(zip(before, lines, strict=True)) if old != new]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def wear(self, styles: Mapping[Role, Style]) -> None:
        """Paint everything again in other styles."""
        self._role_styles = styles
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return row `y` as Textual paints it."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        return Strip([Segment(run.text, self._role_styles[run.role]) for run in self._lines[y]])
