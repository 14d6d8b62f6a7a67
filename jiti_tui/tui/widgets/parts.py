"""The four parts of the screen: head, rail, stage and foot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.style import Style
from textual.geometry import Region

from jiti_tui.tui.picture import Picture, head_rows, rail_cells
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.widgets.rows import Rows


class Parts:
    """Holds the widgets, and puts them where a scene has them."""

    def __init__(self, roles: Mapping[Role, Style]) -> None:
        self._rows = {name: Rows(roles, id=name) for name in ("head", "rail", "stage", "foot")}

    @property
    def widgets(self) -> Iterable[Rows]:
        """What is to be mounted."""
        return self._rows.values()

    def place(self, scene: Scene, foot_rows: int) -> None:
        """Put the parts where they stand above a foot of so many rows."""
        top, left = head_rows(scene), rail_cells(scene)
        body = max(0, scene.height - top - foot_rows)
        self._rows["head"].put(Region(0, 0, scene.width, min(top, scene.height)))
        self._rows["rail"].put(Region(0, top, left, body))
        self._rows["stage"].put(Region(left, top, scene.width - left, body))
        self._rows["foot"].put(Region(0, top + body, scene.width, foot_rows))

    def show(self, picture: Picture) -> None:
        """Paint what differs in `picture`."""
        self._rows["head"].show(picture.head)
        self._rows["rail"].show(picture.rail)
        self._rows["stage"].show(picture.stage)
        self._rows["foot"].show(picture.foot)

    def wear(self, roles: Mapping[Role, Style]) -> None:
        """Show all in other styles from now on."""
        for rows in self._rows.values():
            rows.wear(roles)

    def refresh(self) -> None:
        """Paint every cell again."""
        for rows in self._rows.values():
            rows.refresh()
