"""How the operator looks at the lists: what their rows must hold, and which revisions are marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.frozen import frozen

MOST_MARKED = 2


@frozen
class Lists:
    """`filters` holds a text for each pane; `fate` is the outcome of which proposals are shown, None for all; `marked`
    are numbers of revisions.
    """

    filters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    fate: Fate | None = None
    marked: tuple[int, ...] = ()

    def sought(self, pane: str) -> str:
        """Return what the rows of `pane` must hold."""
        return self.filters.get(pane, "")

    def seeking(self, pane: str, text: str) -> Lists:
        """Return the lists with another filter of `pane`."""
        return replace(self, filters=MappingProxyType({**self.filters, pane: text}))

    def marking(self, number: int) -> Lists:
        """Return the lists with a mark set or taken away; of three the oldest goes."""
        if number in self.marked:
            return replace(self, marked=tuple(other for other in self.marked if other != number))
        return replace(self, marked=(*self.marked, number)[-MOST_MARKED:])
