"""Other keys for what the keys of the table do, as the operator's config file has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from jiti_tui.frozen import frozen


@frozen
class KeyMap:
    """`meant` has, by the name of a pressed key, the name of the one that it stands for; `labels` what is shown instead
    of a label.
    """

    meant: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def name(self, pressed: str) -> str:
        """Return the key of the table that `pressed` stands for."""
        return self.meant.get(pressed, pressed)

    def label(self, label: str) -> str:
        """Return how the key with that label is called here."""
        return self.labels.get(label, label)
