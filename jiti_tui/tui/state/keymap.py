"""Other keys for what the keys of the table do, as the operator's config file has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from jiti_tui.frozen import frozen


@frozen
class KeyMap:
    """`meant` leads from the name of a pressed key to that of the key of the table for which it stands; `labels` from
    the label of that key to what is shown instead.
    """

    meant: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def name(self, pressed: str) -> str:
        """Return the key of the table that `pressed` stands for."""
        return self.meant.get(pressed, pressed)

    def label(self, label: str) -> str:
        """Return how the key with that label is called here."""
        return self.labels.get(label, label)
